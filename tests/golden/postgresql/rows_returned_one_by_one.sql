create function best_price(p_item int, out price numeric, out shop text) language plpgsql as $$
begin
    select min(o.amount), min(o.shop_name) into price, shop from offers o where o.item = p_item;
end $$;
create table best as select i.id, b.price, b.shop from items i, best_price(i.id) b;

create function numbered() returns table (place int, label text) language plpgsql as $$
declare
    r record;
begin
    for r in select c.code, c.kind from codes c where c.active loop
        if r.kind > (select min(k.kind) from kinds k) then
            place := r.code + 1;
            label := (select max(n.text) from names n);
            return next;
        end if;
    end loop;
end $$;
create table labels as select n.place, n.label from numbered() n;

create function big_ones() returns setof int language plpgsql as $$
declare
    v int;
begin
    for v in select s.size from sizes s where s.ok loop
        return next v;
    end loop;
end $$;
create table sized as select b from big_ones() b;

create function is_open(p_day date) returns int language plpgsql as $$
begin
    if exists (select from holidays h where h.day = p_day) then
        return 0;
    end if;
    return 1;
end $$;
create table calendar as select d.day, is_open(d.day) as open from days d;

create procedure once() language plpgsql as $$
declare
    v_runs int;
begin
    select count(*) into v_runs from runs where finished;
    if v_runs > 0 then
        return;
    end if;
    insert into started (n) values (1);
end $$;

create procedure for_each_site() language plpgsql as $$
declare
    r record;
begin
    for r in select 1 from sites where sites.live loop
        insert into ticks (n) values (1);
    end loop;
end $$;
