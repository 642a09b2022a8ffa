CREATE OR REPLACE PROCEDURE mart.public.load_day(day DATE, region VARCHAR)
RETURNS VARCHAR
LANGUAGE SQL
EXECUTE AS CALLER
AS
$$
DECLARE
    total NUMBER DEFAULT 0;
    high NUMBER;
    rates NUMBER DEFAULT 0;
    c1 CURSOR FOR SELECT id, price FROM raw.invoices WHERE price > 0;
    res RESULTSET DEFAULT (SELECT code, rate FROM raw.rates WHERE active);
    bad_region EXCEPTION (-20001, 'no such region');
BEGIN
    IF (region IS NULL) THEN
        RAISE bad_region;
    END IF;
    SELECT SUM(amount), MAX(amount) INTO :total, :high
    FROM raw.sales
    WHERE sale_day = :day AND region = :region;
    INSERT INTO mart.public.totals (sale_day, total) VALUES (:day, :total);
    FOR inv IN c1 DO
        LET p NUMBER := inv.price;
        INSERT INTO mart.public.prices (id, price) SELECT i.id, :p FROM raw.items i;
    END FOR;
    LET c2 CURSOR FOR res;
    FOR r IN c2 DO
        rates := rates + r.rate;
    END FOR;
    UPDATE mart.public.summary SET rates = :rates WHERE name = 'all';
    RETURN 'done';
EXCEPTION
    WHEN OTHER THEN
        INSERT INTO mart.public.errors (message) VALUES (:SQLERRM);
        RETURN 'failed';
END;
$$;
