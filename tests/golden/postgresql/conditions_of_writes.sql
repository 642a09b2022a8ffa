create trigger stock_changed after update of amount on stock
    for each row when (old.amount is distinct from new.amount or new.urgent) execute function note_stock();

create function note_stock() returns trigger language plpgsql as $$
begin
    if new.amount < (select min_amount from limits where limits.item = new.item) then
        insert into alerts (item) values (new.item);
    elsif new.site > 1 then
        delete from alerts where alerts.item = old.item;
    end if;
    return new;
end $$;

create rule big_orders as on insert to orders where new.total > 100 do also insert into audit (id) values (new.id);

create procedure close_month(p_month int) language plpgsql as $$
declare
    v_open int;
    v_state text;
    v_done int := 0;
begin
    select count(*) into v_open from bookings where month = p_month;
    select state into v_state from months where month = p_month;
    if v_done > 0 then
        delete from nothing_to_do;
    end if;
    case v_state
        when 'new' then insert into journal (text) values ('new');
        else insert into errors (text) values ('not new');
    end case;
    while v_open > 0 loop
        update counters set n = 1;
        v_open := v_open - 1;
    end loop;
    if not exists (select from journal where journal.done) then
        create temp table t1 as select a from s1;
    else
        insert into t2 select b from s2;
    end if;
end $$;

create procedure until_full() language plpgsql as $$
declare
    r record;
begin
    for r in select parts.size from parts loop
        exit when r.size > 9;
        insert into filled (n) values (1);
    end loop;
end $$;
