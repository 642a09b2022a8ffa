DECLARE
  c_batch  CONSTANT PLS_INTEGER := 1000;
  CURSOR c_legacy IS
    SELECT l.policy_no, l.holder_name, l.premium, l.branch
      FROM legacy.policies l
     WHERE l.migrated = 'N'
     ORDER BY l.policy_no;
  TYPE t_legacy IS TABLE OF c_legacy%ROWTYPE INDEX BY PLS_INTEGER;
  l_rows   t_legacy;
  v_region ins.regions.region_id%TYPE;
  v_done   NUMBER := 0;

  PROCEDURE note_progress (p_rows IN NUMBER, p_region IN NUMBER) IS
  BEGIN
    UPDATE ins.migration_state m
       SET m.rows_done = p_rows,
           m.last_region = p_region
     WHERE m.job = 'POLICIES';
  END note_progress;
BEGIN
  OPEN c_legacy;
  LOOP
    FETCH c_legacy BULK COLLECT INTO l_rows LIMIT c_batch;
    EXIT WHEN l_rows.COUNT = 0;

    FORALL i IN 1 .. l_rows.COUNT
      INSERT INTO ins.policies (policy_no, holder, yearly_premium)
      VALUES (l_rows(i).policy_no, TRIM(l_rows(i).holder_name), l_rows(i).premium * 12);

    FOR i IN REVERSE 1 .. l_rows.COUNT LOOP
      SELECT g.region_id
        INTO v_region
        FROM ins.regions g
       WHERE g.branch_code = l_rows(i).branch;
      note_progress(v_done + i, v_region);
    END LOOP;

    v_done := v_done + l_rows.COUNT;
    COMMIT;
  END LOOP;
  CLOSE c_legacy;

  UPDATE legacy.policies l
     SET l.migrated = 'Y'
   WHERE EXISTS (SELECT NULL FROM ins.policies p WHERE p.policy_no = l.policy_no);
END;
/
