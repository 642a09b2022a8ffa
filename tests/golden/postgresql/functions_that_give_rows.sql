create function f(i int) returns setof int language sql as 'select c from u where k = i';
create table o1 as select f from f(1);
create table o2 as select x from t, f(t.a) x;
create table o3 as select id, f(a) as x from t;
create function g(i int) returns table (n bigint, m int) language sql as 'select count(*), max(b) from s where j = i';
create table o4 as select g.m from t cross join lateral g(t.a);
create table o5 as select g.m from g(1);
create function h(i int) returns int language plpgsql as $$
begin
    if i > 1 then
        return i + (select max(p.price) from p);
    end if;
    return (select min(q.cost) from q);
end $$;
create table o6 as select h(t.a) as x from t;
do $$
begin
    execute 'insert into o7 (v) values ($1)' using (select max(r.v) from r);
end $$;
