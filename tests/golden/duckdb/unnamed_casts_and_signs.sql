-- metadata: {"t": ["a", "b", "s", "l", "d"]}
-- The names that DuckDB 2.0 gave these columns.
create table o1 as
select a::text, cast(a as real), try_cast(b as double precision), a::decimal(5, 2), (1 + a::int8)::varchar(9), date '2024-01-31' from t;
create table o2 as
select a ** 2, a ^ b, to_json(l) -> 0, (to_json(l) ->> '$[0]')::int, s ^@ 'x', a is not true, s like 'x' escape '!', l[1], [a, b][2] from t;
create table o3 as
select map {'k': a}, trim(both 'x' from s), d + interval 1 day, d - interval '2 days', [x for x in l if x > a], upper(s).lower() from t;
create table o4 as
select sum(a) over (order by b asc nulls last range between unbounded preceding and unbounded following), {'x y': a}, "a" + "b" from t;
