DECLARE cutoff DATE;
DECLARE table_name STRING DEFAULT 'mart.copies';
SET cutoff = (SELECT MAX(closed) FROM raw.periods);

INSERT INTO mart.open_items (id)
SELECT id FROM raw.items WHERE item_day > cutoff;

EXECUTE IMMEDIATE CONCAT('INSERT INTO ', table_name, ' (id, v) SELECT id, v FROM raw.values_1 WHERE k = @key')
USING cutoff AS key;

EXECUTE IMMEDIATE 'SELECT MAX(v) FROM raw.values_1 WHERE k = ?' INTO cutoff USING 7;

LOOP
  IF cutoff IS NULL THEN
    LEAVE;
  END IF;
  DELETE FROM mart.old_items WHERE item_day < cutoff;
  SET cutoff = NULL;
END LOOP;

CREATE OR REPLACE FUNCTION mart.rate_of(code STRING) RETURNS FLOAT64 AS (
  (SELECT MAX(r.rate) FROM raw.rates AS r WHERE r.code = code)
);

CREATE OR REPLACE TABLE FUNCTION mart.items_of(day DATE) AS
  SELECT id, v FROM raw.items WHERE item_day = day;
