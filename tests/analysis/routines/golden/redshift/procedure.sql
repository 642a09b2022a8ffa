CREATE OR REPLACE PROCEDURE etl.load_day(p_day IN DATE, p_rows INOUT INT)
AS $$
DECLARE
    rec RECORD;
    stmt VARCHAR(500) := 'INSERT INTO etl.days (d) SELECT d FROM raw.days';
BEGIN
    CREATE TEMP TABLE stage_day AS
    SELECT id, amount FROM raw.orders WHERE order_day = p_day;
    DELETE FROM etl.orders USING stage_day WHERE etl.orders.id = stage_day.id;
    INSERT INTO etl.orders (id, amount) SELECT id, amount FROM stage_day;
    EXECUTE stmt;
    SELECT INTO p_rows COUNT(*) FROM etl.orders;
    FOR rec IN SELECT k, v FROM raw.settings WHERE enabled LOOP
        UPDATE etl.settings SET v = rec.v WHERE k = rec.k;
    END LOOP;
    INSERT INTO etl.loads (n) VALUES (p_rows);
END;
$$ LANGUAGE plpgsql;

CALL etl.load_day('2024-01-01', 0);
