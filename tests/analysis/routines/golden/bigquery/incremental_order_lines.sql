CREATE OR REPLACE PROCEDURE mart.load_order_lines(IN run_date DATE, INOUT changed INT64)
OPTIONS (description = 'daily order lines', strict_mode = TRUE)
BEGIN
  DECLARE since TIMESTAMP DEFAULT (SELECT MAX(w.loaded_until) FROM meta.watermarks AS w WHERE w.target = 'orders');
  DECLARE attempts INT64 DEFAULT 0;

  CREATE OR REPLACE TEMP TABLE delta AS
  SELECT o.order_id, o.customer_id, line.sku, line.amount, o.updated_at
  FROM raw.orders AS o, UNNEST(o.lines) AS line
  WHERE o.updated_at > since
  QUALIFY ROW_NUMBER() OVER (PARTITION BY o.order_id, line.sku ORDER BY o.updated_at DESC) = 1;

  retry: LOOP
    BEGIN
      BEGIN TRANSACTION;
      MERGE mart.order_lines AS t
      USING (
        SELECT d.order_id, d.sku, d.amount, c.segment
        FROM delta AS d
        LEFT JOIN mart.customers AS c USING (customer_id)
      ) AS s
      ON t.order_id = s.order_id AND t.sku = s.sku
      WHEN MATCHED AND t.amount != s.amount THEN
        UPDATE SET amount = s.amount, segment = s.segment
      WHEN NOT MATCHED BY TARGET THEN
        INSERT (order_id, sku, amount, segment) VALUES (order_id, sku, amount, segment)
      WHEN NOT MATCHED BY SOURCE AND t.order_day = run_date THEN
        DELETE;
      SET changed = @@row_count;
      UPDATE meta.watermarks
      SET loaded_until = (SELECT MAX(d.updated_at) FROM delta AS d)
      WHERE target = 'orders';
      COMMIT TRANSACTION;
      LEAVE retry;
    EXCEPTION WHEN ERROR THEN
      ROLLBACK TRANSACTION;
      SET attempts = attempts + 1;
      IF attempts > 3 THEN
        RAISE USING MESSAGE = @@error.message;
      END IF;
    END;
  END LOOP retry;
END;
