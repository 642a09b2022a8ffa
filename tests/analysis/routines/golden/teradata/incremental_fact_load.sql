REPLACE PROCEDURE edw.load_fact_sales (IN p_load_id INTEGER, OUT p_rows INTEGER, OUT p_message VARCHAR(200))
SQL SECURITY OWNER
BEGIN
    DECLARE v_from TIMESTAMP(6);
    DECLARE v_state CHAR(5);
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        SET v_state = SQLSTATE;
        SET p_message = 'failed with ' || v_state;
        INSERT INTO edw.load_log (load_id, message) VALUES (:p_load_id, :p_message);
    END;

    SELECT COALESCE(MAX(w.loaded_until), TIMESTAMP '1900-01-01 00:00:00')
    INTO :v_from
    FROM edw.watermarks AS w
    WHERE w.table_name = 'FACT_SALES';

    CREATE VOLATILE MULTISET TABLE vt_sales, NO LOG AS (
        SELECT s.sale_id, s.store_code, s.amount, s.changed_ts
        FROM stg.sales AS s
        WHERE s.changed_ts > :v_from
        QUALIFY ROW_NUMBER() OVER (PARTITION BY s.sale_id ORDER BY s.changed_ts DESC) = 1
    ) WITH DATA PRIMARY INDEX (sale_id) ON COMMIT PRESERVE ROWS;

    MERGE INTO edw.fact_sales AS f
    USING (
        SELECT v.sale_id, d.store_key, v.amount
        FROM vt_sales AS v
        INNER JOIN edw.dim_store AS d ON d.store_code = v.store_code
    ) AS n (sale_id, store_key, amount)
        ON f.sale_id = n.sale_id
    WHEN MATCHED THEN
        UPDATE SET amount = n.amount, store_key = n.store_key
    WHEN NOT MATCHED THEN
        INSERT (sale_id, store_key, amount) VALUES (n.sale_id, n.store_key, n.amount);
    SET p_rows = ACTIVITY_COUNT;

    UPDATE w
    FROM edw.watermarks AS w, (SELECT MAX(changed_ts) AS until_ts FROM vt_sales) AS m
    SET loaded_until = m.until_ts
    WHERE w.table_name = 'FACT_SALES';

    COLLECT STATISTICS ON edw.fact_sales COLUMN (sale_id);
    DROP TABLE vt_sales;
END;
