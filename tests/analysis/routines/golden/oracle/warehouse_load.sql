CREATE OR REPLACE PROCEDURE dwh.load_dim_product(p_batch_id IN NUMBER, p_status OUT VARCHAR2)
AUTHID DEFINER
IS
  c_unknown CONSTANT VARCHAR2(10) := 'UNKNOWN';
  v_start   DATE := SYSDATE;
  v_count   PLS_INTEGER := 0;
  v_key     dwh.dim_product.product_key%TYPE;
  e_no_rows EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_no_rows, -20001);
  CURSOR c_new IS
    SELECT s.product_code,
           NVL(s.product_name, c_unknown) AS product_name,
           c.category_key
      FROM stg.products s
      LEFT JOIN dwh.dim_category c
        ON c.category_code = s.category_code
     WHERE s.batch_id = p_batch_id;
BEGIN
  FOR r IN c_new LOOP
    v_count := v_count + 1;
    BEGIN
      SELECT d.product_key
        INTO v_key
        FROM dwh.dim_product d
       WHERE d.product_code = r.product_code
         AND d.valid_to IS NULL;
      UPDATE dwh.dim_product d
         SET d.valid_to = v_start
       WHERE d.product_key = v_key;
    EXCEPTION
      WHEN NO_DATA_FOUND THEN
        NULL;
    END;
    INSERT INTO dwh.dim_product (product_key, product_code, product_name, category_key, valid_from)
    VALUES (dwh.product_seq.NEXTVAL, r.product_code, r.product_name, r.category_key, v_start);
    IF MOD(v_count, 1000) = 0 THEN
      COMMIT;
    END IF;
  END LOOP;

  IF v_count = 0 THEN
    RAISE e_no_rows;
  END IF;

  INSERT ALL
    WHEN amount >= 0 THEN
      INTO dwh.fact_sales (product_code, amount) VALUES (product_code, amount)
    ELSE
      INTO dwh.fact_returns (product_code, amount) VALUES (product_code, amount)
  SELECT t.product_code, t.amount
    FROM stg.transactions t
   WHERE t.batch_id = p_batch_id;

  p_status := 'OK';
  COMMIT;
EXCEPTION
  WHEN e_no_rows THEN
    p_status := 'EMPTY';
  WHEN OTHERS THEN
    ROLLBACK;
    p_status := SUBSTR(SQLERRM, 1, 100);
    INSERT INTO dwh.load_errors (batch_id, message) VALUES (p_batch_id, p_status);
    COMMIT;
END load_dim_product;
/
CREATE OR REPLACE FUNCTION dwh.active_products(p_category IN VARCHAR2)
RETURN SYS_REFCURSOR
IS
  rc SYS_REFCURSOR;
BEGIN
  OPEN rc FOR
    SELECT p.product_code, p.product_name
      FROM dwh.dim_product p
     WHERE p.valid_to IS NULL
       AND p.category_key IN (SELECT c.category_key FROM dwh.dim_category c WHERE c.category_code = p_category);
  RETURN rc;
END active_products;
/
