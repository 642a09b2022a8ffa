-- What dynamic SQL puts into the text of a query for another server.
create function copy_rows(p_control text, p_schema text) returns void language plpgsql as $$
declare
    v_sql text;
    v_bound bigint;
begin
    v_sql := format('select bound from dblink(%L, ''select max(%I) - %s as bound from src.orders where kind = 1'') as (bound bigint)',
        'conn_' || p_schema, p_control, 5);
    execute v_sql into v_bound;
    insert into bounds (b) select v_bound;
    execute format('insert into kept (id) select max(%I) from orders', p_control);
end
$$;
