CREATE OR REPLACE PROCEDURE adm.load_day(DATE, INTEGER)
RETURNS INTEGER
EXECUTE AS OWNER
LANGUAGE NZPLSQL AS
BEGIN_PROC
DECLARE
    p_day ALIAS FOR $1;
    v_rows INTEGER;
    v_sql VARCHAR(1000);
    rec RECORD;
BEGIN
    SELECT COUNT(*) INTO v_rows FROM stg.orders WHERE order_day = p_day;
    FOR rec IN SELECT id, amount FROM stg.orders WHERE order_day = p_day LOOP
        UPDATE dw.orders SET amount = rec.amount WHERE id = rec.id;
    END LOOP;
    IF v_rows > 0 THEN
        v_sql := 'INSERT INTO dw.days (d) SELECT order_day FROM stg.orders';
        EXECUTE IMMEDIATE v_sql;
    END IF;
    INSERT INTO dw.loads (n) VALUES (v_rows);
    RETURN v_rows;
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'failed: %', SQLERRM;
END;
END_PROC;
