CREATE OR REPLACE PROCEDURE etl.read_watermark(p_table IN VARCHAR(128), p_until INOUT TIMESTAMP)
AS $$
BEGIN
    SELECT INTO p_until MAX(w.loaded_until)
    FROM etl.watermarks w
    WHERE w.table_name = p_table;
END;
$$ LANGUAGE plpgsql;

CREATE OR REPLACE PROCEDURE etl.sync_customers(p_full IN BOOLEAN)
NONATOMIC
AS $$
DECLARE
    v_until   TIMESTAMP := '1900-01-01';
    v_country RECORD;
    v_tries   INTEGER := 0;
BEGIN
    IF NOT p_full THEN
        CALL etl.read_watermark('customers', v_until);
    END IF;

    MERGE INTO dwh.customers
    USING src.customers s
    ON dwh.customers.customer_id = s.customer_id
    WHEN MATCHED THEN UPDATE SET email = s.email, country_code = s.country_code
    WHEN NOT MATCHED THEN INSERT (customer_id, email, country_code) VALUES (s.customer_id, s.email, s.country_code);

    INSERT INTO dwh.customer_changes (customer_id, changed_at)
    SELECT s.customer_id, s.changed_at
    FROM src.customers s
    WHERE s.changed_at > v_until;

    FOR v_country IN
        SELECT c.country_code, COUNT(c.customer_id) AS customers
        FROM dwh.customers c
        GROUP BY c.country_code
        HAVING COUNT(*) > 100
    LOOP
        UPDATE dwh.countries
        SET customers = v_country.customers
        WHERE code = v_country.country_code;
    END LOOP;

    WHILE v_tries < 3 LOOP
        v_tries := v_tries + 1;
        DELETE FROM etl.locks WHERE job = 'sync_customers';
        EXIT WHEN FOUND;
    END LOOP;
END;
$$ LANGUAGE plpgsql;
