DECLARE
    latest DATE;
BEGIN
    latest := (SELECT MAX(d) FROM raw.days);
    DELETE FROM mart.stale WHERE d < :latest;
    LET stmt VARCHAR := 'INSERT INTO mart.fresh (d) SELECT d FROM raw.days';
    EXECUTE IMMEDIATE :stmt;
    EXECUTE IMMEDIATE 'MERGE INTO mart.m t USING raw.s s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.v = s.v';
END;

CREATE OR REPLACE PROCEDURE mart.js_load()
RETURNS STRING
LANGUAGE JAVASCRIPT
AS
$$
    // Only whole literals are SQL; "INSERT INTO nothing SELECT 1 FROM comments" is not.
    var load = `INSERT INTO mart.copied (id, name)
                SELECT id, name FROM raw.people WHERE alive`;
    snowflake.execute({sqlText: load});
    snowflake.execute({sqlText: "DELETE FROM mart.copied WHERE id IS NULL"});
    var built = "SELECT * FROM " + table_name;
    snowflake.execute({sqlText: built});
    return "ok";
$$;

CREATE OR REPLACE FUNCTION mart.total_of(customer NUMBER)
RETURNS NUMBER
AS
'SELECT SUM(amount) FROM raw.sales WHERE customer_id = customer';
