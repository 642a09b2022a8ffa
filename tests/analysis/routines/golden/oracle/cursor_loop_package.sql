CREATE OR REPLACE PACKAGE BODY sales.order_etl AS

  g_run_id NUMBER;

  CURSOR c_open_orders(p_day DATE) IS
    SELECT o.order_id, o.customer_id, o.amount
      FROM stage.orders o
     WHERE o.order_day = p_day
       AND o.status = 'OPEN';

  PROCEDURE start_run(p_label IN VARCHAR2) IS
  BEGIN
    SELECT MAX(r.run_id)
      INTO g_run_id
      FROM sales.runs r
     WHERE r.label = p_label;
    INSERT INTO sales.runs (run_id, label)
    VALUES (g_run_id, p_label);
    COMMIT;
  END start_run;

  FUNCTION customer_name(p_id IN NUMBER) RETURN VARCHAR2 IS
    v_name sales.customers.full_name%TYPE;
  BEGIN
    SELECT c.full_name INTO v_name FROM sales.customers c WHERE c.id = p_id;
    RETURN v_name;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RETURN NULL;
  END customer_name;

  PROCEDURE load_day(p_day IN DATE) IS
    r_order c_open_orders%ROWTYPE;
  BEGIN
    OPEN c_open_orders(p_day);
    LOOP
      FETCH c_open_orders INTO r_order;
      EXIT WHEN c_open_orders%NOTFOUND;
      IF r_order.amount > 1000 THEN
        INSERT INTO sales.large_orders (order_id, amount)
        VALUES (r_order.order_id, r_order.amount);
      ELSE
        UPDATE sales.small_orders s
           SET s.amount = r_order.amount
         WHERE s.order_id = r_order.order_id;
      END IF;
    END LOOP;
    CLOSE c_open_orders;
  END load_day;

END order_etl;
/
