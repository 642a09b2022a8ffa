CREATE OR REPLACE PROCEDURE mart.backfill(IN first_day DATE, IN last_day DATE)
BEGIN
  DECLARE day DATE DEFAULT first_day;
  DECLARE target STRING DEFAULT 'mart.daily_visits';
  DECLARE visits, bots INT64;
  DECLARE lowest, highest INT64;

  WHILE day <= last_day DO
    EXECUTE IMMEDIATE FORMAT('DELETE FROM %s WHERE visit_day = @day', target) USING day AS day;
    EXECUTE IMMEDIATE FORMAT("""
      INSERT INTO %s (visit_day, site, visitors)
      SELECT v.visit_day, v.site, COUNT(DISTINCT v.visitor_id)
      FROM raw.visits AS v
      WHERE v.visit_day = @day
      GROUP BY v.visit_day, v.site
    """, target) USING day AS day;

    EXECUTE IMMEDIATE 'SELECT COUNT(*), COUNTIF(agent = "bot") FROM raw.visits WHERE visit_day = ?'
    INTO visits, bots
    USING day;

    IF bots > visits / 2 THEN
      INSERT INTO mart.suspicious_days (visit_day, visits, bots) VALUES (day, visits, bots);
      SET day = DATE_ADD(day, INTERVAL 1 DAY);
      CONTINUE;
    ELSEIF visits = 0 THEN
      SET (lowest, highest) = (
        SELECT AS STRUCT MIN(p.planned), MAX(p.planned) FROM mart.plans AS p WHERE p.plan_day = day
      );
      INSERT INTO mart.missing_days (visit_day, planned) VALUES (day, highest);
    END IF;
    SET day = DATE_ADD(day, INTERVAL 1 DAY);
  END WHILE;
  CALL mart.publish('daily_visits');
END;
