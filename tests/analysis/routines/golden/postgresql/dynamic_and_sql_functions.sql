CREATE FUNCTION dw.load_partition(p_day date) RETURNS void AS $$
DECLARE
    c_target CONSTANT text := 'facts';
    v_count  bigint;
    v_name   text;
BEGIN
    EXECUTE format('INSERT INTO %I.%I (id, amount) SELECT id, amount FROM stage.facts WHERE day = $1', 'dw', c_target)
    USING p_day;
    EXECUTE 'SELECT count(*) FROM dw.facts' INTO v_count;
    INSERT INTO dw.counts (n) VALUES (v_count);
    FOR v_name IN EXECUTE 'SELECT name FROM dw.marts WHERE enabled' LOOP
        INSERT INTO dw.refreshes (mart) VALUES (v_name);
    END LOOP;
    EXECUTE 'ANALYZE dw.facts';
    EXECUTE 'DROP TABLE IF EXISTS ' || quote_ident(v_name);
END;
$$ LANGUAGE plpgsql;

CREATE FUNCTION dw.top_customers(p_n integer)
RETURNS TABLE (id integer, total numeric)
LANGUAGE sql STABLE
AS $$
    SELECT c.id, sum(o.amount)
    FROM dw.customers c JOIN dw.orders o ON o.customer_id = c.id
    GROUP BY c.id
    LIMIT $1;
$$;

CREATE FUNCTION dw.move_old(p_before date) RETURNS integer
LANGUAGE sql
AS 'WITH gone AS (
        DELETE FROM dw.orders WHERE day < p_before RETURNING id, amount
    )
    INSERT INTO dw.orders_old (id, amount) SELECT id, amount FROM gone;
    SELECT 1';

CREATE FUNCTION dw.all_ids() RETURNS SETOF integer AS $$
BEGIN
    RETURN QUERY SELECT f.id FROM dw.facts f;
    RETURN QUERY EXECUTE 'SELECT g.id FROM dw.old_facts g';
END;
$$ LANGUAGE plpgsql;

CREATE PROCEDURE dw.standard_body(a integer)
LANGUAGE SQL
BEGIN ATOMIC
    INSERT INTO dw.t1 VALUES (a);
    INSERT INTO dw.t2 (x) SELECT x FROM dw.t1;
END;
