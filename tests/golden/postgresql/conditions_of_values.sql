create function totals(out n bigint, out top int) language sql as 'select count(*), max(m.v) from m';

create procedure mark() language plpgsql as $$
declare
    v_state text := 'ok';
    v_count int;
    r record;
begin
    if exists (select from faults where faults.open) then
        v_state := 'bad';
    end if;
    insert into states (state) values (v_state);
    if (select max(u1.load) from u1) > 4 then
        select count(*) into v_count from u2 where u2.live;
    end if;
    if v_count > 0 then
        update counters set seen = true;
    end if;
    r := totals();
    insert into sums (n, top) values (r.n, r.top);
end $$;

create function keep_small() returns trigger language plpgsql as $$
begin
    if new.amount > (select l.top from limits l) then
        return null;
    end if;
    new.rate := (select max(r.rate) from rates r where r.kind = new.kind);
    return new;
end $$;
create trigger small before insert on orders for each row execute function keep_small();
create trigger seen after insert on visits for each row execute function only_reads();

create function only_reads() returns trigger language plpgsql as $$
begin
    if new.page > 1 then
        return null;
    end if;
    return new;
end $$;
