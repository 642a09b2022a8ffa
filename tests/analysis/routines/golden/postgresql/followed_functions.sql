insert into early (v) select highest(s.k) from s;
create function rows_of(p int) returns table(x int, y text) language sql as $$ select a, b from t where k = p $$;
create function highest(p int) returns int language plpgsql as $$
declare v int;
begin
  select max(a) into v from u where k = p;
  return v;
end $$;
insert into o (x, y) select x, y from rows_of(3);
insert into o2 (x) select q.x from s, lateral rows_of(s.k) as q;
