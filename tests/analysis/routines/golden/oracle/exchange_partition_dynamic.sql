CREATE OR REPLACE PROCEDURE dwh.swap_sales_month (p_month IN DATE) AS
  c_owner   CONSTANT VARCHAR2(30) := 'dwh';
  c_work    CONSTANT VARCHAR2(61) := c_owner || '.fact_sales_work';
  v_sql     VARCHAR2(32767);
  v_rows    NUMBER;
  v_run_id  NUMBER;
BEGIN
  EXECUTE IMMEDIATE 'TRUNCATE TABLE ' || c_work;

  v_sql := 'INSERT /*+ APPEND */ INTO ' || c_work || ' (sale_id, product_key, amount) ';
  v_sql := v_sql || 'SELECT s.sale_id, p.product_key, s.amount * s.fx_rate ';
  v_sql := v_sql || q'[FROM stg.sales s JOIN dwh.dim_product p ON p.product_code = s.product_code ]';
  v_sql := v_sql || q'[WHERE s.sale_month = :month AND p.status = 'ACTIVE']';
  EXECUTE IMMEDIATE v_sql USING p_month;
  v_rows := SQL%ROWCOUNT;
  COMMIT;

  EXECUTE IMMEDIATE 'ALTER TABLE ' || c_owner || '.fact_sales EXCHANGE PARTITION p_current WITH TABLE '
    || c_work || ' INCLUDING INDEXES WITHOUT VALIDATION';

  EXECUTE IMMEDIATE 'SELECT MAX(run_id) + 1 FROM dwh.load_runs WHERE job_name = :1'
    INTO v_run_id
    USING 'swap_sales_month';

  BEGIN
    EXECUTE IMMEDIATE 'INSERT INTO dwh.load_runs (run_id, job_name, row_count) VALUES (:1, :2, :3)'
      USING v_run_id, 'swap_sales_month', v_rows;
  EXCEPTION
    WHEN DUP_VAL_ON_INDEX THEN
      UPDATE dwh.load_runs l
         SET l.row_count = v_rows
       WHERE l.run_id = v_run_id;
  END;
  COMMIT;
END swap_sales_month;
/
