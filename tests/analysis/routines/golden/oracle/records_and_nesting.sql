-- metadata: {"crm.customers": ["id", "name", "city"], "crm.customers_copy": ["id", "name", "city"]}
CREATE OR REPLACE PROCEDURE crm.copy_customer(p_id IN NUMBER, p_city OUT VARCHAR2) IS
  r_customer crm.customers%ROWTYPE;
  r_second   crm.customers%ROWTYPE;

  PROCEDURE remember(p_what IN VARCHAR2) IS
  BEGIN
    INSERT INTO crm.memory (what) VALUES (p_what);
  END remember;
BEGIN
  SELECT * INTO r_customer FROM crm.customers WHERE id = p_id;
  <<inner_block>>
  DECLARE
    v_label VARCHAR2(100);
  BEGIN
    v_label := r_customer.name || ' of ' || r_customer.city;
    remember(v_label);
  EXCEPTION
    WHEN VALUE_ERROR THEN
      NULL;
  END inner_block;
  r_second := r_customer;
  INSERT INTO crm.customers_copy VALUES r_second;
  p_city := r_second.city;
END copy_customer;
/
DECLARE
  v_city VARCHAR2(100);
  v_n    PLS_INTEGER := 0;
BEGIN
  crm.copy_customer(7, v_city);
  CASE v_n
    WHEN 0 THEN
      UPDATE crm.cities SET hits = hits + 1 WHERE city = v_city;
    ELSE
      DELETE FROM crm.cities WHERE city = v_city;
  END CASE;
  WHILE v_n < 3 LOOP
    v_n := v_n + 1;
    INSERT INTO crm.ticks (n) VALUES (v_n);
  END LOOP;
END;
/
