CREATE OR REPLACE FUNCTION billing.make_invoices(p_month date, OUT n_invoices integer)
RETURNS integer AS $body$
DECLARE
    r           record;
    v_rate      numeric := 0;
    v_id        billing.invoices.id%TYPE;
    lines CURSOR (k integer) FOR
        SELECT l.sku, l.price FROM billing.lines l WHERE l.contract_id = k;
    line        record;
BEGIN
    SELECT t.rate INTO STRICT v_rate
    FROM billing.taxes t
    WHERE t.month = p_month;

    FOR r IN
        SELECT c.id, c.customer_id, c.fee
        FROM billing.contracts c
        WHERE c.active
    LOOP
        INSERT INTO billing.invoices (customer_id, amount)
        VALUES (r.customer_id, r.fee * v_rate)
        RETURNING id INTO v_id;

        OPEN lines(r.id);
        LOOP
            FETCH lines INTO line;
            EXIT WHEN NOT FOUND;
            INSERT INTO billing.invoice_lines (invoice_id, sku, price)
            VALUES (v_id, line.sku, line.price);
        END LOOP;
        CLOSE lines;
    END LOOP;

    n_invoices := (SELECT count(*) FROM billing.invoices);
    PERFORM billing.notify(n_invoices);
EXCEPTION
    WHEN no_data_found THEN
        RAISE EXCEPTION 'no rate for %', p_month;
END;
$body$ LANGUAGE plpgsql;

DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT old_name, new_name FROM ops.renames LOOP
        UPDATE ops.names SET name = t.new_name WHERE name = t.old_name;
    END LOOP;
END $$;
