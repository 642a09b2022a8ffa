CREATE OR REPLACE PROCEDURE main.jobs.log_step(IN step_name STRING, IN row_count BIGINT)
LANGUAGE SQL
SQL SECURITY INVOKER
AS BEGIN
  INSERT INTO main.jobs.steps (name, rows_seen) VALUES (step_name, row_count);
END;

CREATE OR REPLACE PROCEDURE main.jobs.nightly(IN p_day DATE)
LANGUAGE SQL
SQL SECURITY INVOKER
AS
nightly: BEGIN
  DECLARE seen BIGINT;
  DECLARE tries INT DEFAULT 0;
  DECLARE message STRING;
  DECLARE EXIT HANDLER FOR SQLEXCEPTION
  BEGIN
    GET DIAGNOSTICS CONDITION 1 message = MESSAGE_TEXT;
    INSERT INTO main.jobs.failures (day, message) VALUES (p_day, message);
    RESIGNAL;
  END;

  CREATE OR REPLACE TEMPORARY VIEW open_items AS
  SELECT t.item_id, t.amount, t.region FROM main.silver.items AS t WHERE t.status = 'open';

  INSERT OVERWRITE TABLE main.gold.region_totals
  SELECT o.region, sum(o.amount) AS total FROM open_items AS o GROUP BY o.region;

  waiting: REPEAT
    SET seen = (SELECT count(*) FROM main.silver.arrivals AS a WHERE a.arrived_on = p_day);
    SET tries = tries + 1;
  UNTIL seen > 0 OR tries > 5
  END REPEAT waiting;

  CALL main.jobs.log_step('arrivals', seen);
  IF seen = 0 THEN
    LEAVE nightly;
  END IF;

  inner_block: BEGIN
    DECLARE lowest INT DEFAULT (SELECT min(x.item_id) FROM main.silver.items AS x);
    DELETE FROM main.gold.item_cache WHERE item_id < lowest;
    INSERT INTO main.gold.item_cache (item_id, amount)
    SELECT a.item_id, a.amount FROM main.silver.arrivals AS a WHERE a.item_id >= lowest;
  END inner_block;
END nightly;
