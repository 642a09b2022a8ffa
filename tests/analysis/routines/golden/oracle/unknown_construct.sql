CREATE OR REPLACE PROCEDURE ops.tidy IS
  v_id NUMBER;
BEGIN
  INSERT INTO ops.first_table (a) SELECT a FROM ops.source_one;
  UPDATE SET WHERE ops.nonsense ((;
  INSERT INTO ops.last_table (b) SELECT b FROM ops.source_two;
  RETURN;
END;
/
