CREATE OR REPLACE PROCEDURE prod.dw.load_customers(IN load_day DATE, IN allowed INT DEFAULT 100)
LANGUAGE SQL
SQL SECURITY INVOKER
COMMENT 'slowly changing dimension of the second kind'
MODIFIES SQL DATA
AS
BEGIN
  DECLARE started TIMESTAMP DEFAULT current_timestamp();
  DECLARE bad_rows BIGINT DEFAULT 0;
  DECLARE too_many_bad CONDITION FOR SQLSTATE '45001';
  DECLARE EXIT HANDLER FOR too_many_bad
    INSERT INTO prod.dw.load_errors (load_day, bad_rows) VALUES (load_day, bad_rows);

  SET bad_rows = (SELECT count(*) FROM prod.stage.customers AS c WHERE c.email IS NULL AND c.day = load_day);
  IF bad_rows > allowed THEN
    SIGNAL too_many_bad SET MESSAGE_TEXT = 'addresses are missing';
  END IF;

  MERGE INTO prod.dw.customers AS t
  USING (
    SELECT c.customer_id AS merge_key, c.customer_id, c.email, c.city
    FROM prod.stage.customers AS c
    WHERE c.day = load_day
    UNION ALL
    SELECT NULL AS merge_key, c.customer_id, c.email, c.city
    FROM prod.stage.customers AS c
    JOIN prod.dw.customers AS d ON d.customer_id = c.customer_id AND d.is_current
    WHERE d.city <> c.city
  ) AS s
  ON t.customer_id = s.merge_key
  WHEN MATCHED AND t.is_current AND t.city <> s.city THEN
    UPDATE SET is_current = FALSE, valid_to = load_day
  WHEN NOT MATCHED THEN
    INSERT (customer_id, email, city, is_current, valid_from)
    VALUES (s.customer_id, s.email, s.city, TRUE, load_day);

  INSERT INTO prod.dw.load_log (load_day, started_at, bad_rows) VALUES (load_day, started, bad_rows);
END;
