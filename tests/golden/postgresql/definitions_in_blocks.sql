-- A migration creates what is missing.
do $$
begin
    if not exists (select 1 from pg_proc where proname = 'note_order') then
        create function note_order() returns trigger language plpgsql as $body$
        begin
            insert into order_log (order_id, customer) values (new.id, new.customer);
            return new;
        end
        $body$;
        create trigger noting after insert on orders for each row execute function note_order();
        create function distance(cube, cube) returns float8 as 'MODULE_PATHNAME', 'distance' language c immutable;
        create rule forwarded as on insert to open_orders do instead insert into orders (id) values (new.id);
    end if;
    create procedure refill() language sql as 'insert into stock select item, amount from delivered';
    call refill();
end
$$;

create function best_of_all() returns void language plpgsql as $$
begin
    create function best() returns int language sql as $q$ select max(points) from results $q$;
    insert into champions (points) select best();
end
$$;
