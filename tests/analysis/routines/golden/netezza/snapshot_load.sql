CREATE OR REPLACE PROCEDURE ADMIN.SP_SNAPSHOT(DATE, VARCHAR(ANY))
RETURNS INT4
EXECUTE AS CALLER
LANGUAGE NZPLSQL AS
BEGIN_PROC
DECLARE
    p_day ALIAS FOR $1;
    p_source ALIAS FOR $2;
    v_previous DATE;
    v_count INT4 := 0;
    v_sql VARCHAR(4000);
    r_rate RECORD;
BEGIN AUTOCOMMIT ON
    SELECT MAX(s.snap_day) INTO v_previous FROM dwh.stock_snapshots s WHERE s.snap_day < p_day;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'nothing before %', p_day;
    END IF;

    CREATE TEMP TABLE tmp_stock AS
    SELECT w.item_id, w.warehouse_id, SUM(w.quantity) AS quantity
    FROM stg.stock_moves w
    WHERE w.move_day <= p_day
    GROUP BY w.item_id, w.warehouse_id
    DISTRIBUTE ON (item_id);

    INSERT INTO dwh.stock_snapshots (snap_day, item_id, warehouse_id, quantity, change)
    SELECT p_day, t.item_id, t.warehouse_id, t.quantity, t.quantity - NVL(o.quantity, 0)
    FROM tmp_stock t
    LEFT OUTER JOIN dwh.stock_snapshots o
        ON o.item_id = t.item_id AND o.snap_day = v_previous;

    FOR r_rate IN SELECT c.currency, c.rate FROM stg.rates c WHERE c.rate_day = p_day LOOP
        UPDATE dwh.currencies SET rate = r_rate.rate WHERE currency = r_rate.currency;
        v_count := v_count + 1;
        CONTINUE WHEN v_count < 100;
        EXIT;
    END LOOP;

    v_sql := 'DELETE FROM dwh.work_' || 'items';
    EXECUTE IMMEDIATE v_sql;
    DROP TABLE tmp_old IF EXISTS;
    RETURN v_count;
EXCEPTION
    WHEN TRANSACTION_ABORTED THEN
        ROLLBACK;
        RAISE ERROR 'aborted: %', SQLERRM;
    WHEN OTHERS THEN
        INSERT INTO dwh.failures (fail_day) VALUES (p_day);
        RETURN -1;
END;
END_PROC;
