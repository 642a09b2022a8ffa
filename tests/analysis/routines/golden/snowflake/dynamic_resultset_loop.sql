CREATE OR REPLACE PROCEDURE mart.refresh_regions(min_amount NUMBER(12, 2), region VARCHAR)
RETURNS TABLE (region VARCHAR, total NUMBER)
LANGUAGE SQL
AS
$$
DECLARE
    target VARCHAR DEFAULT 'mart.region_totals';
    insert_text VARCHAR;
    query VARCHAR DEFAULT 'SELECT o.region, o.amount FROM raw.orders o WHERE o.amount > ?';
    orders RESULTSET;
    running NUMBER DEFAULT 0;
    answer RESULTSET;
BEGIN
    EXECUTE IMMEDIATE 'TRUNCATE TABLE IF EXISTS ' || target;

    insert_text := 'INSERT INTO ' || target || ' (region, total) '
        || 'SELECT r.region_name, SUM(o.amount) FROM raw.orders o '
        || 'JOIN raw.regions r ON r.region_id = o.region_id '
        || 'WHERE o.amount > ? GROUP BY r.region_name';
    EXECUTE IMMEDIATE :insert_text USING (min_amount);

    orders := (EXECUTE IMMEDIATE :query USING (min_amount));
    LET c1 CURSOR FOR orders;
    FOR row_variable IN c1 DO
        running := running + row_variable.amount;
        INSERT INTO mart.order_audit (region, amount)
        VALUES (UPPER(:row_variable.region), :row_variable.amount);
    END FOR;

    UPDATE mart.grand_total SET amount = :running;

    answer := (SELECT t.region, t.total FROM mart.region_totals t ORDER BY t.total DESC);
    RETURN TABLE(answer);
END;
$$;
