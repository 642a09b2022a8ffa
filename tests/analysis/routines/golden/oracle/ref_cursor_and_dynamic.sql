CREATE OR REPLACE PROCEDURE rep.refresh_report(p_mode IN VARCHAR2, p_day IN DATE) AS
  TYPE t_cursor IS REF CURSOR;
  cv       t_cursor;
  v_code   VARCHAR2(10);
  v_total  NUMBER;
  v_table  CONSTANT VARCHAR2(30) := 'rep.totals';
  v_sql    VARCHAR2(4000);
BEGIN
  IF p_mode = 'FULL' THEN
    OPEN cv FOR
      SELECT l.code, l.amount FROM gl.ledger l;
  ELSE
    OPEN cv FOR 'SELECT d.code, d.amount FROM gl.daily d WHERE d.day = :day' USING p_day;
  END IF;
  LOOP
    FETCH cv INTO v_code, v_total;
    EXIT WHEN cv%NOTFOUND;
    UPDATE rep.lines SET total = v_total WHERE code = v_code;
  END LOOP;
  CLOSE cv;

  v_sql := 'INSERT INTO ' || v_table || ' (code, total) ' ||
           'SELECT code, SUM(total) FROM rep.lines GROUP BY code';
  EXECUTE IMMEDIATE v_sql;
  EXECUTE IMMEDIATE 'TRUNCATE TABLE rep.scratch';
  EXECUTE IMMEDIATE 'SELECT MAX(total) FROM rep.totals' INTO v_total;
  INSERT INTO rep.peaks (total) VALUES (v_total);
END;
/
CREATE OR REPLACE PROCEDURE rep.copy_table(p_source IN VARCHAR2) AS
BEGIN
  -- Which table is read nobody can know.
  EXECUTE IMMEDIATE 'INSERT INTO rep.copies SELECT * FROM ' || p_source;
  EXECUTE IMMEDIATE 'DELETE FROM rep.copies WHERE origin = ''' || p_source || '''';
END;
/
