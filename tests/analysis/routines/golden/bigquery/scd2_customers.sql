CREATE PROCEDURE dim.load_customers(batch_id STRING)
BEGIN
  DECLARE now TIMESTAMP DEFAULT CURRENT_TIMESTAMP();
  DECLARE keys ARRAY<INT64>;

  CREATE TEMP TABLE changed AS
  WITH incoming AS (
    SELECT s.customer_id, s.email, s.country_code
    FROM staging.customers AS s
    WHERE s.batch = batch_id
  )
  SELECT i.customer_id, LOWER(i.email) AS email, n.country_name
  FROM incoming AS i
  INNER JOIN ref.countries AS n ON n.country_code = i.country_code
  LEFT JOIN dim.customers AS d ON d.customer_id = i.customer_id AND d.is_current
  WHERE d.customer_id IS NULL OR d.email != LOWER(i.email);

  SET keys = (SELECT ARRAY_AGG(c.customer_id) FROM changed AS c);

  UPDATE dim.customers
  SET is_current = FALSE, valid_to = now
  WHERE is_current AND customer_id IN UNNEST(keys);

  INSERT INTO dim.customers (customer_id, email, country_name, valid_from, is_current)
  SELECT customer_id, email, country_name, now, TRUE
  FROM changed;

  FOR record IN (
    SELECT m.old_id, m.new_id FROM staging.merged_customers AS m WHERE m.batch = batch_id
  )
  DO
    UPDATE dim.customers SET master_id = record.new_id WHERE customer_id = record.old_id;
    IF record.new_id IS NULL THEN
      ITERATE;
    END IF;
    INSERT INTO dim.merge_log (old_id, new_id, merged_at) VALUES (record.old_id, record.new_id, now);
  END FOR;
END;
