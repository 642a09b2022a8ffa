CREATE OR REPLACE PROCEDURE dwh.merge_dim_customer (
  p_load_date IN DATE DEFAULT TRUNC(SYSDATE),
  p_closed    OUT NUMBER,
  p_opened    OUT NUMBER
)
AUTHID CURRENT_USER
AS
  c_open_end CONSTANT DATE := DATE '9999-12-31';

  PROCEDURE write_audit (p_step IN VARCHAR2, p_rows IN NUMBER) IS
    PRAGMA AUTONOMOUS_TRANSACTION;
  BEGIN
    INSERT INTO dwh.audit_log (step_name, row_count, logged_at)
    VALUES (p_step, p_rows, SYSTIMESTAMP);
    COMMIT;
  END write_audit;
BEGIN
  SAVEPOINT before_merge;

  -- Versions whose tracked attributes have changed end the day before.
  MERGE INTO dwh.dim_customer t
  USING (
    SELECT d.customer_key, s.segment
      FROM stg.customer s
      JOIN dwh.dim_customer d
        ON d.customer_id = s.customer_id
     WHERE s.load_date = p_load_date
       AND d.valid_to = c_open_end
       AND (d.segment <> s.segment OR d.city <> s.city)
  ) n
  ON (t.customer_key = n.customer_key)
  WHEN MATCHED THEN
    UPDATE SET t.valid_to = p_load_date - 1,
               t.next_segment = n.segment;
  p_closed := SQL%ROWCOUNT;
  write_audit('close', p_closed);

  INSERT INTO dwh.dim_customer (customer_key, customer_id, segment, city, valid_from, valid_to)
  SELECT dwh.customer_seq.NEXTVAL, s.customer_id, s.segment, INITCAP(s.city), p_load_date, c_open_end
    FROM stg.customer s
   WHERE s.load_date = p_load_date
     AND NOT EXISTS (
           SELECT 1
             FROM dwh.dim_customer d
            WHERE d.customer_id = s.customer_id
              AND d.valid_to = c_open_end);
  p_opened := SQL%ROWCOUNT;
  write_audit('open', p_opened);
  COMMIT;
EXCEPTION
  WHEN DUP_VAL_ON_INDEX THEN
    ROLLBACK TO SAVEPOINT before_merge;
    write_audit('duplicate', 0);
    RAISE_APPLICATION_ERROR(-20010, 'two open versions: ' || SQLERRM);
  WHEN OTHERS THEN
    ROLLBACK;
    write_audit('failed', -1);
    RAISE;
END merge_dim_customer;
/
