CREATE OR REPLACE PROCEDURE mart.refresh(IN day DATE, OUT changed INT64)
OPTIONS (strict_mode = FALSE)
BEGIN
  DECLARE low, high INT64 DEFAULT 0;
  DECLARE latest DATE DEFAULT (SELECT MAX(d) FROM raw.days WHERE open);
  SET (low, high) = (SELECT AS STRUCT MIN(id), MAX(id) FROM raw.events WHERE event_day = day);

  CREATE TEMP TABLE picked AS
  SELECT id, amount FROM raw.events WHERE id BETWEEN low AND high;

  BEGIN TRANSACTION;
  FOR item IN (SELECT code, label FROM raw.codes WHERE active) DO
    UPDATE mart.codes SET label = item.label WHERE code = item.code;
  END FOR;
  IF day > latest THEN
    INSERT INTO mart.facts (id, amount) SELECT id, amount FROM picked;
  ELSEIF day = latest THEN
    MERGE INTO mart.facts AS t
    USING picked AS p ON t.id = p.id
    WHEN MATCHED THEN UPDATE SET amount = p.amount;
  ELSE
    DELETE FROM mart.facts WHERE id < low;
  END IF;
  COMMIT TRANSACTION;

  SET changed = @@row_count;
  CALL mart.log_change(changed);
EXCEPTION WHEN ERROR THEN
  ROLLBACK TRANSACTION;
  INSERT INTO mart.errors (message) VALUES (@@error.message);
END;
