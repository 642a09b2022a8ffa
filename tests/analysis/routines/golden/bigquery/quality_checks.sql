CREATE OR REPLACE PROCEDURE quality.run_checks(IN suite STRING, OUT failed INT64)
BEGIN
  DECLARE position INT64 DEFAULT 0;
  DECLARE missing INT64;
  DECLARE worst STRING;

  BEGIN
    SET missing = (
      SELECT COUNT(*)
      FROM mart.orders AS o
      LEFT JOIN mart.customers AS c ON c.id = o.customer_id
      WHERE c.id IS NULL
    );
    INSERT INTO quality.results (suite, check_name, findings) VALUES (suite, 'orphans', missing);
    ASSERT missing < 1000 AS 'too many orphans';
  EXCEPTION WHEN ERROR THEN
    INSERT INTO quality.failures (failed_suite, message, findings)
    SELECT suite, @@error.message, missing;
  END;

  REPEAT
    SET position = position + 1;
    CASE position
      WHEN 1 THEN
        SET worst = (SELECT p.name FROM mart.products AS p WHERE p.price < 0 ORDER BY p.price LIMIT 1);
      WHEN 2 THEN
        SET worst = (SELECT s.label FROM mart.stores AS s WHERE s.closed LIMIT 1);
      ELSE
        CALL quality.other_check(position, worst);
    END CASE;
    INSERT INTO quality.examples (suite, example) VALUES (suite, worst);
  UNTIL position >= 3
  END REPEAT;

  SET failed = (SELECT COUNT(*) FROM quality.failures AS f WHERE f.failed_suite = suite);
  IF failed > 0 THEN
    INSERT INTO quality.alerts (failures) VALUES (failed);
    RETURN;
  END IF;
  TRUNCATE TABLE quality.pending;
END;
