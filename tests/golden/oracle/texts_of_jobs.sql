BEGIN
  DBMS_SCHEDULER.CREATE_JOB(
    job_name => 'nightly',
    job_type => 'PLSQL_BLOCK',
    job_action => 'BEGIN INSERT INTO daily (total) SELECT SUM(amount) FROM sales; END;',
    enabled => TRUE);
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'other', job_type => 'STORED_PROCEDURE', job_action => 'pk.load');
END;
/
DECLARE
  job NUMBER;
BEGIN
  DBMS_JOB.SUBMIT(job, 'INSERT INTO copies (id) SELECT id FROM originals;', SYSDATE, 'SYSDATE + 1');
END;
/
