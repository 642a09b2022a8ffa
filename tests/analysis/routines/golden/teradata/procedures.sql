REPLACE PROCEDURE dw.load_customers (IN p_day DATE, OUT p_rows INTEGER)
SQL SECURITY INVOKER
MAIN: BEGIN
    DECLARE v_last INTEGER DEFAULT 0;
    DECLARE v_text VARCHAR(2000);
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        INSERT INTO dw.load_errors (load_day) VALUES (:p_day);
    END;

    SELECT MAX(c.customer_id) INTO :v_last FROM dw.customers AS c;

    FOR cust AS cust_cursor CURSOR FOR
        SELECT s.customer_id AS cid, s.customer_name AS cname
        FROM stg.customers AS s
        WHERE s.load_day = :p_day
    DO
        IF cust.cid > v_last THEN
            INSERT INTO dw.customers (customer_id, customer_name) VALUES (cust.cid, cust.cname);
        ELSE
            UPDATE dw.customers SET customer_name = cust.cname WHERE customer_id = cust.cid;
        END IF;
    END FOR;

    SET v_text = 'INSERT INTO dw.customers_hist SELECT customer_id, customer_name FROM dw.customers';
    EXECUTE IMMEDIATE v_text;
    SET p_rows = ACTIVITY_COUNT;

    WHILE v_last > 0 DO
        SET v_last = v_last - 100;
        DELETE FROM dw.scratch WHERE id > :v_last;
    END WHILE;
END MAIN;

CREATE PROCEDURE dw.open_report (IN p_region CHAR(2))
DYNAMIC RESULT SETS 1
BEGIN
    DECLARE report CURSOR WITH RETURN ONLY FOR
        SELECT region, total FROM dw.region_totals WHERE region = p_region;
    OPEN report;
END;

REPLACE MACRO dw.new_day (p_day DATE) AS (
    DELETE FROM dw.today WHERE d < :p_day;
    INSERT INTO dw.today (d, total) SELECT d, SUM(amount) FROM dw.sales WHERE d = :p_day GROUP BY d;
);

CREATE TRIGGER dw.audit_sales
AFTER UPDATE OF (amount) ON dw.sales
REFERENCING OLD AS before_row NEW AS after_row
FOR EACH ROW (
    INSERT INTO dw.sales_audit (id, old_amount, new_amount)
    VALUES (after_row.id, before_row.amount, after_row.amount);
);
