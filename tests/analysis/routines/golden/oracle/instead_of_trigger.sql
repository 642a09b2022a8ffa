CREATE OR REPLACE TRIGGER sales.trg_order_entry
INSTEAD OF INSERT OR UPDATE ON sales.v_order_entry
FOR EACH ROW
DECLARE
  v_customer_id sales.customers.customer_id%TYPE;
  v_order_id    sales.orders.order_id%TYPE;
BEGIN
  BEGIN
    SELECT c.customer_id
      INTO v_customer_id
      FROM sales.customers c
     WHERE c.email = LOWER(:NEW.email);
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      INSERT INTO sales.customers (email, full_name)
      VALUES (LOWER(:NEW.email), :NEW.customer_name)
      RETURNING customer_id INTO v_customer_id;
  END;

  CASE
    WHEN INSERTING THEN
      INSERT INTO sales.orders (customer_id, ordered_at, note)
      VALUES (v_customer_id, SYSDATE, :NEW.note)
      RETURNING order_id INTO v_order_id;

      INSERT INTO sales.order_lines (order_id, sku, quantity)
      VALUES (v_order_id, UPPER(:NEW.sku), :NEW.quantity);
    WHEN UPDATING('NOTE') THEN
      UPDATE sales.orders o
         SET o.note = :NEW.note
       WHERE o.order_id = :OLD.order_id;
    ELSE
      NULL;
  END CASE;
END trg_order_entry;
/
