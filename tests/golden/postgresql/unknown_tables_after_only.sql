-- Words between FROM and an unknown name are no tables.
create function tidy(p_schema text, p_table text, p_column text) returns void language plpgsql as $$
begin
    execute format('insert into lows (a) select min(%I) from only %I.%I where kept = 1', p_column, p_schema, p_table);
    execute format('delete from only %I.%I where id in (select id from gone)', p_schema, p_table);
    execute format('create function %I.%I() returns trigger language plpgsql as $t$
        begin insert into noted select name from names; return new; end $t$', p_schema, p_table);
end
$$;
create function keep_apart(p_parent text, p_child text, p_column text) returns void language plpgsql as $$
begin
    execute format('alter table events attach partition %I default', p_child);
    execute format('create function %I() returns trigger language plpgsql as $t$
        begin
            if new.%I > 5 then insert into far (a) select new.%I; end if;
            update far set b = x.%I from (select * from near) x;
            return new;
        end $t$', p_parent, p_column, p_column, p_column);
end
$$;
