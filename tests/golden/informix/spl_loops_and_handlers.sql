CREATE PROCEDURE "informix".move_orders(p_day DATE, p_list LVARCHAR(500))
RETURNING CHAR(5), INTEGER;
  DEFINE GLOBAL g_runs INT DEFAULT 0;
  DEFINE v_id, v_customer INTEGER;
  DEFINE v_code CHAR(5);
  DEFINE v_total, v_tax LIKE orders.total;
  LET v_code, v_total = '00000', 0;
  BEGIN
    ON EXCEPTION IN (-535, -239) SET v_id, v_customer
      LET v_code = '00535';
      INSERT INTO failures (code) VALUES (v_code);
      RETURN v_code, v_id;
    END EXCEPTION WITH RESUME;
    SET ISOLATION TO DIRTY READ;
    BEGIN WORK;
    FOREACH c_orders WITH HOLD FOR
      SELECT o.id, o.total INTO v_id, v_total FROM orders o WHERE o.day = p_day FOR UPDATE
      IF v_total > 100 THEN
        LET v_tax = v_total * 2;
      ELIF v_total > 10 THEN
        LET v_tax = v_total;
      END IF;
      UPDATE orders SET moved = 'Y' WHERE CURRENT OF c_orders;
      INSERT INTO archive (id, tax) VALUES (v_id, v_tax);
    END FOREACH;
    COMMIT WORK;
    FOREACH EXECUTE PROCEDURE other:split(p_list, '|') INTO v_code
      INSERT INTO parts (code) VALUES (v_code);
    END FOREACH;
    FOREACH
      SELECT c.id INTO v_customer FROM customers c UNION SELECT b.id FROM blocked b
      WHILE v_customer > 0
        INSERT INTO seen (id) VALUES (v_customer);
        EXIT WHILE;
      END WHILE;
      RETURN v_code, v_customer WITH RESUME;
    END FOREACH;
  END;
END PROCEDURE
DOCUMENT "Moves the orders of a day",
"2013";
INSERT INTO done (id) SELECT id FROM archive;
