CREATE OR REPLACE PROCEDURE main.etl.load_orders(IN day DATE, OUT loaded INT)
LANGUAGE SQL
SQL SECURITY INVOKER
AS BEGIN
  DECLARE max_id INT DEFAULT 0;
  DECLARE EXIT HANDLER FOR SQLEXCEPTION
  BEGIN
    INSERT INTO main.etl.errors (day) VALUES (day);
  END;

  SET max_id = (SELECT max(id) FROM main.etl.orders);
  FOR o AS SELECT id AS order_id, amount AS order_amount FROM main.raw.orders WHERE order_day = day DO
    INSERT INTO main.etl.orders (id, amount) VALUES (o.order_id, o.order_amount);
  END FOR;

  IF max_id > 100 THEN
    MERGE INTO main.etl.totals AS t
    USING (SELECT sum(amount) AS amount FROM main.etl.orders) AS s ON t.amount <> s.amount
    WHEN MATCHED THEN UPDATE SET amount = s.amount;
  ELSEIF max_id < 0 THEN
    DELETE FROM main.etl.orders WHERE id > max_id;
  END IF;

  WHILE max_id > 0 DO
    SET max_id = max_id - 1;
  END WHILE;
  EXECUTE IMMEDIATE 'INSERT INTO main.etl.copies SELECT id FROM main.etl.orders';
END;

DECLARE OR REPLACE VARIABLE newest DATE;
SET VAR newest = (SELECT max(d) FROM main.raw.days WHERE open);
INSERT INTO main.etl.windows (until) VALUES (newest);

CREATE FUNCTION main.etl.amount_of(order_id INT) RETURNS DOUBLE
RETURN SELECT max(amount) FROM main.etl.orders WHERE id = order_id;
