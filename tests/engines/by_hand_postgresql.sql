-- windows and aggregates
create table o as select id, sum(a) over w1 as x, row_number() over (w1 order by id) as y from t window w1 as (partition by k)
create table o as select id, sum(a) over (order by b, id rows between 1 preceding and current row exclude current row) as x from t
create table o as select id, count(*) filter (where a > 2) over (partition by s) as x, lag(a, 1, b) over (order by id) as y from t
create table o as select k, rank() over (order by sum(a), k) as r from t group by k having count(*) > 1
create table o as select id, nth_value(s, 2) over (partition by k order by b, id range between unbounded preceding and unbounded following) as x from t
create table o as select percentile_disc(0.5) within group (order by a) as x, percentile_cont(array[0.1, 0.9]) within group (order by b) as y, mode() within group (order by s) as z from t group by k
create table o as select rank(2) within group (order by a) as x, cume_dist(3) within group (order by b desc) as y from t
create table o as select string_agg(s, ',' order by b, id) as x, array_agg(distinct a order by a) as y, jsonb_object_agg(id, a order by id) as z from t group by k
create table o as select json_agg(t order by id) as x from t
create table o as select jsonb_agg(jsonb_build_object('i', id, 'a', a) order by id) as x from t where b > 1
create table o as select k, s, grouping(k, s) as g, sum(a) as x from t group by cube (k, s)
create table o as select k, s, count(*) as n from t group by grouping sets (rollup (k, s), ())
create table o as select k, sum(a) as x from t group by distinct rollup (k, s), rollup (k)
create table o as select case when a > 2 then 'hi' else s end as bucket, count(*) as n from t group by case when a > 2 then 'hi' else s end
create table o as select max(a) filter (where s = 'a') - min(b) as x, bool_or(a > b) as y, every(a > 0) as z, count(distinct (k, s)) as n from t
create table o as select sum(a) as x from t group by () having max(b) > 1
-- joins
create table o as select k, a, c from t left join u using (k)
create table o as select k, a, c from t right join u using (k)
create table o as select k, a, c from t full join u using (k)
create table o as select k, t.k as tk, u.k as uk from t full join u using (k)
create table o as select j.k, a, c from t join u using (k) as j
create table o as select * from (select k, a from t) x natural left join (select k, c from u) y
create table o as select * from (select k, a from t) x natural right join (select k, c from u) y
create table o as select * from (select a, k from t) x join (select c, k from u) y using (k)
create table o (p, q, r) as select * from (select a, k from t) x join (select c, k from u) y using (k)
create table o as select k, s, a, y.n from t join u using (k, s) left join (select k, count(*) as n from p join u on p.v = u.c group by k) y using (k)
create table o as select j.a, j.c from (t join u using (k)) as j
create table o as select x.i, x.c from (t join u on t.k = u.k) as x(i, k1, a1, b1, s1, i2, k2, c)
create table o as select t.id, q.c from t cross join lateral (select c from u where u.k = t.k order by c, id limit 1) q
create table o as select t.id, q.m from t left join lateral (select max(c) as m from u where u.k = t.k) q on q.m > t.a
create table o as select t.id, f.* from t, lateral (values (t.a, t.b), (t.k, 1)) as f(p, q)
create table o as select t.id, g from t, generate_series(1, t.a) as g
create table o as select t.id, g.n from t left join generate_series(1, 3) g(n) on g.n <= t.a
create table o as select w.id, e, n from w, unnest(w.l) with ordinality as x(e, n) where n > 1
create table o as select w.id, x.p, x.q from w, unnest(w.l, array[w.k, w.id]) as x(p, q)
create table o as select w.id, x.p, x.q, x.n from w, rows from (unnest(w.l), generate_series(1, w.k)) with ordinality as x(p, q, n)
create table o as select id, unnest(l) as e from w
create table o as select w.id, kv.key, kv.value from w, jsonb_each_text(w.j) as kv
create table o as select w.id, x.a, x.b from w, jsonb_to_record(w.j) as x(a int, b text)
create table o as select id, jsonb_object_keys(j) as key from w
create table o as select id, e.value as v from w cross join lateral jsonb_array_elements(jsonb_build_array(w.k, w.j->'a')) e
-- expressions
create table o as select id, j->>'a' as x, j->'b' as y, (j->>'a')::int + k as z, j #>> '{a}' as q, j ? 'a' as f, j @> '{"a": 1}' as g from w
create table o as select id, j || jsonb_build_object('k', k) as x, j - 'a' as y, jsonb_set(j, '{a}', to_jsonb(k)) as z, j['a'] as q from w
create table o as select id, l[1] as x, l[2:3] as y, l[k] as z, array_length(l, 1) as n, l || k as q, k = any (l) as f, l && array[1, 2] as g, array_position(l, k) as h from w
create table o as select id, (k, a) < (b, k) as x, row(k, s) = row(b, s) as y, a is distinct from b as z, (a, b) is null as q from t
create table o as select id, a between symmetric b and k as x, s similar to 'a%' as y, s ~* 'A' as z, s like any (array['a', 'b']) as q from t
create table o as select d + interval '1 day' as x, extract(dow from d) as y, date_trunc('month', d) as z, (d, d + 1) overlaps (date '2024-01-02', date '2024-01-04') as q, d at time zone 'utc' as f, to_char(d, 'DD') as g from u
create table o as select id, overlay(s placing 'x' from k for 1) as x, position('a' in s) as y, trim(both 'a' from s) as z, substring(s from k for 1) as q, s collate "C" < 'b' as f from t where k > 0
create table o as select id, coalesce(a, k) as x, nullif(a, k) as y, greatest(a, b) as z, num_nulls(a, b) as n, case a when b then k when k then id else 0 end as q from t
create table o as select array(select c from u where u.k = t.k order by c desc) as x, t.id from t
create table o as select id, (select row_to_json(x) from (select u.c, t.a) x limit 1) as y from t join u using (id)
create table o as select row_to_json(t) as x, to_jsonb(t.*) as y from t
create table o as select (t).a as x, (t.*)::text as y from t
create table o as select count(t) as n, count(t.*) as m from t
-- names the engine gives
create table o as select x.sum, x.coalesce, x.case, x.k, x."?column?" from (select sum(a), coalesce(k, 1), case when k > 1 then k end, k::bigint, k + 1 from t group by k) x
create table o as select x.array, x.exists, x.max from (select array[a, b], exists (select 1 from u where u.k = t.k), (select max(c) from u) from t) x
create table o as select date_part, now is null as n from (select extract(day from d)::int as date_part, now() from u) x
create table o as select x.column1, x.column2 from (values (1, (select max(a) from t)), (2, 3)) x
create table o as select x.p, x.column2 as q from (values (1, (select count(*) from t where a > 2))) x(p)
create table o as values (1, (select count(*) from u where c > 1)), (2, (select max(a) from t))
create table o as table t
create table o as with x as (table u) select c from x where d > '2024-01-02'
-- subqueries
create table o as select id from t where (k, a) in (select k, c from u where s <> 'a')
create table o as select id from t where (a, b) = (select max(c), min(k) from u)
create table o as select id from t where a > all (select c from u where u.k = t.k) or b = some (select y from z)
create table o as select id from t where not exists (select from u where u.k = t.k and u.c > t.a)
create table o as select id, (a, b) in (select c, k from u) as x, exists (select from u where c > 3) as y from t
create table o as select id from t order by (select max(c) from u where u.k = t.k) nulls first, id limit 3
create table o as select id from t order by b, id limit (select count(*) from u where c > 2) offset (select min(x) from z) - 1
create table o as select id from t order by b fetch first 2 rows with ties
create table o as select k from t group by k having max(a) > (select avg(c) from u where u.k = t.k)
create table o as select id, (select sum(c) filter (where u.k > t.k) from u) as x from t
create table o as select id, (select count(*) from (select distinct c from u where u.k = t.k) q) as x from t
-- ctes and set operations
create table o as with recursive r(i, n) as (select id, k from t where a > 2 union all select i, n - 1 from r where n > 0) select i, n from r
create table o as with recursive r as (select x as node, y as up, 1 as d from z where s = 'a' union all select z.x, z.y, r.d + 1 from z join r on z.y = r.node where r.d < 3) search depth first by node set ord select node, d from r order by ord limit 3
create table o as with recursive r as (select x as node, y as up from z union all select z.x, z.y from z join r on z.x = r.up) cycle node set looped using path select node, count(*) as n from r where not looped group by node
create table o as with x as not materialized (select k, sum(a) as sa from t group by k) select u.id, x.sa from u join x on x.k = u.k where x.sa > 1
create table o as (select a from t order by b, id limit 2) union all (select c from u order by d, id limit 2) order by 1 desc limit 3
create table o as select a, k from t union (select c, k from u except select y, x from z)
create table o as select k from t intersect all select k from u
create table o as select distinct on (k) k, a from t order by k, b desc, id
create table o as select distinct on (k + b) id from t order by k + b, a, id
create table o as select id, a from t tablesample system (100) where b > 1
-- views
create view v1 as select id, a + b as ab, k from t; create table o as select ab from v1 where k > 1
create view v1(p, q) as select a, s from t; create view v2(r) as select p + 1 from v1 where q = 'a'; create table o as select r from v2
create view v1(p) as select a, b from t; create table o as select p, b from v1
create materialized view m1 as select k, count(*) as n from t group by k; create table o as select u.id, n from u join m1 using (k)
create recursive view v1(n) as select k from t where a > 3 union all select n - 1 from v1 where n > 0; create table o as select n from v1
create function f(p int) returns table (i int, m int) language sql as 'select id, a from t where k > p'; create table o as select i, m from f(1)
create function f(p int) returns int language sql return (select max(c) + p from u where u.k = p); create table o as select id, f(a) as x from t
create table x (i int, j int generated always as (i * 2) stored); insert into x select a from t where b > 1; create table o as select j from x
select id, a into o from t where b > 1
-- writing
insert into z select id + 20, a, s from t where b > 1
insert into z (x, s) select id + 20, max(s) from t group by id having sum(b) > 2
insert into z select id, c, s from u where c > 1 on conflict (x) do update set y = excluded.y + z.y, s = excluded.s where z.y < excluded.y
insert into z as zz select id, c, s from u on conflict (x) do update set (y, s) = (select max(a), min(s) from t where t.id = excluded.x)
insert into z values (21, (select max(a) from t), default), (22, 3, (select min(s) from u))
insert into z (x, y) overriding user value with q as (select id + 20 as i, a from t) select i, a from q where a > 0
create table o (i int, j int); with moved as (delete from z using t where t.id = z.x and t.a > 1 returning z.x, z.y, t.b) insert into o select x, y + b from moved
create table o (i int, j int); with changed as (update z set y = t.a from t where t.id = z.x returning z.x, z.y) insert into o select x, y from changed where y > 1
create table o (i int, j int); with new as (insert into z select id + 20, c, s from u where c > 1 returning x, y) insert into o select x, y from new
with q as (select id, max(c) as m from u group by id) update z set y = q.m, s = 'n' from q where q.id = z.x
update z set y = t.a + z.y, s = t.s from t where t.id = z.x and t.b > 1
update z set (y, s) = (select a, s from t where t.id = z.x)
update z as q set y = (select max(c) from u where u.id = q.x) where q.x in (select id from t where a > 1)
update z set y = u.c from t left join u on u.k = t.k and u.id = t.id where t.id = z.x
delete from z where x in (select id from t where a > 1)
delete from z using t join u on u.id = t.id where t.id = z.x and u.c > 1
with gone as (select id from t where a > 2) delete from z using gone where gone.id = z.x
merge into z using t on z.x = t.id when matched and t.a > 2 then update set y = t.b when matched then delete when not matched then insert values (t.id, t.a, t.s)
merge into z using (select id, max(c) as c from u group by id) q on q.id = z.x when matched then update set y = z.y + q.c when not matched and q.c > 2 then insert (x, y) values (q.id, q.c)
with q as (select id, a from t where b > 1) merge into z using q on q.id = z.x when matched then update set (y, s) = (q.a, 'm') when not matched then do nothing
-- what is returned
create table o (i int, j int); with n as (insert into z values (31, (select max(a) from t where b > 1), 'q'), (32, 1, (select min(s) from u)) returning x, y) insert into o select x, y from n
create table o (i int, j int, k text); with n as (insert into z select id, c, s from u on conflict (x) do update set y = excluded.y + z.y where z.y is not null returning x, y, s) insert into o select x, y, s from n
create table o (i int, j int, k text); with n as (insert into z as zz select id, c, s from u on conflict (x) do update set (y, s) = (select max(a), min(s) from t where t.id = excluded.x) returning zz.x, zz.y, zz.s) insert into o select x, y, s from n
create table o (i int, j int, k text); with n as (insert into z (x, s) select id + 20, s from t where a > 1 returning *) insert into o select x, y, s from n
create table o (i int, j int); with n as (update z set y = t.a + z.y from t where t.id = z.x returning t.b, z.y) insert into o select b, y from n
-- functions, ranges, documents
create table o as select r.a, r.b from w, jsonb_populate_record(null::t, w.j) r
create table o as select ((array_agg(t order by id))[1]).a as v from t
create table o as select x.v from t, xmltable('/r' passing xmlelement(name r, xmlattributes(t.a as aa)) columns v int path '@aa' default 7) x where v > 1
create function f(x int, y int default 3) returns int immutable language sql return x * y; create table o as select f(a) as p, f(a, b) as q, f(y => k, x => a) as r from t
create function f(variadic p int[]) returns int language sql as 'select max(v) from unnest(p) v'; create table o as select f(a, b, k) as x from t
create table o as select id, int4range(a, a + 2) @> k as y, int4range(a, a + 1) && int4range(k, k + 1) as z, lower(int4range(a, a + 3)) as q from t where b >= 0
create table o as select distinct on (1) k, a from t order by 1, b, id
create table o as select q.id from (select t.id from t join u on t.id = u.id where u.c > 1 for share of t) q
create table o as with recursive r as (select id, k, array[id] as path from t where a > 2 union all select t.id, t.k, path || t.id from t join r on t.k = r.id where not t.id = any (path)) select id, path from r
create table o as select substring, "position", "overlay", btrim from (select substring(s from 1 for 1), position('a' in s), overlay(s placing 'x' from 1), trim(s) from t) q
create table o as select id, sum(a) over (order by id rows between (select count(*) from u where c > 3) preceding and current row) as x, @ (a - b) as y from t
create function f(out p int, out q text) returns setof record language sql as 'select a, s from t'; create table o as select q from f() where p > 1
-- features in combination
create view v1 as select x, y, s from z; update v1 set y = t.a from t where t.id = v1.x; insert into z select id + 40, c, s from u where c > 1
create temp table x as select id, a, k from t; insert into x select id, c, k from u where c > 1; create table o as select k, sum(a) as sa from x group by k
create temp table x on commit drop as select id, a, k from t; update x set a = u.c from u where u.id = x.id; create table o as select a from x where k > 1
create temp table x (like t including all); insert into x select * from t where a > 1; create table o as select a, s from x
create table o (like u); insert into o select * from u where c > (select avg(a) from t)
create table o (i int, j int, k text); with a1 as (insert into z select id + 20, a, s from t where b > 1 returning x, y, s), a2 as (select x, max(y) as m from a1 group by x) insert into o select x, m, (select min(s) from u where u.c = a2.m) from a2
create table o (i int, j int); with d as (delete from z where y > (select avg(a) from t) returning *), i as (insert into o select x, y from d returning i, j) insert into o select i + 100, j from i
create table o (i int, j int); with d as (update z set y = y + t.a from t where t.id = z.x returning z.*, t.b) insert into o select x, y + b from d
create table o (i int, j int); with recursive r as (select x, y from z where y > 1 union select t.id, t.a from t join r on r.y = t.k), d as (delete from z using r where r.x = z.x returning z.x, z.y) insert into o select x, y from d
insert into z with a1 as (select id + 20 as i, a from t), a2 as materialized (select i, a, (select max(c) from u where u.c > a1.a) as m from a1) select i, m, 'q' from a2 where a > 0
update z set (y, s) = (select a, q.s from (select * from u where c > 1) q join t using (k) where t.id = z.x order by t.a, q.id limit 1)
update z set y = v.n from (values (1, (select max(a) from t)), (2, (select min(c) from u)), (3, 9)) v(i, n) where v.i = z.x
update z set y = r.v from t cross join lateral (select max(c) as v from u where u.k = t.k) r where t.id = z.x and r.v > t.a
delete from z using (select id, rank() over (partition by k order by a, id) as r from t) q where q.id = z.x and q.r > 1
insert into z (x, y, s) select id, a, s from t on conflict (x) where x > 0 do update set y = excluded.y where z.s <> excluded.s
create table o as select id, sum(a) over (order by b, id rows between unbounded preceding and current row exclude group) as x, count(*) over (partition by k order by b groups between 1 preceding and 1 following exclude ties) as y from t
create table o as select id, sum(a) over (order by b range between 2 preceding and 1 following exclude current row) as x from t where b is not null
create table o as select t.id, (select string_agg(q.v, ',' order by q.v) from (select u.s || coalesce((select max(z.s) from z where z.y = u.c and z.x > t.a), '') as v from u where u.k = t.k) q) as x from t
create table o as select id from t order by (select count(*) from u where u.k = t.k and u.c > (select min(y) from z where z.s = t.s)), id limit 4
create table o as select k, grouping(k, s) as g, sum(a) filter (where b > (select avg(c) from u)) as x from t group by rollup (k, s) having grouping(s) = 1 or sum(b) > (select max(y) from z)
create table o as select (array(select c from u where u.k = t.k order by c, id))[1:2] as x, id from t
create table o as select id, l[:2] as x, l[k:] as y, l[1:k] as z, (array_agg(k) over (order by id))[1] as q from w
create function f(i int) returns setof t language sql as 'select * from t where k = i'; create table o as select u.id, x.a from u, f(u.c) x
create function f(i int) returns int language sql stable as 'select max(a) from t where k = i'; create function g(i int) returns int language sql as 'select f(i) + max(c) from u where c > i'; create table o as select y, g(x) as gx from z
create aggregate mysum(int) (sfunc = int4pl, stype = int, initcond = '0'); create table o as select k, mysum(a) as x from t where a is not null group by k
create table o as select id, j -> 'a' ->> 0 as x, j #> array['a'] as y, j @? '$.a' as z, j @@ '$.b > 1' as q, jsonb_path_query_first(j, '$.a') as r from w
create table o as select id, x.key, x.value from w, jsonb_each(j) x where x.value::int > k
create table o as select w.id, q from w, jsonb_path_query(w.j, '$.*') q
create table o as select id, jsonb_path_query(j, '$.*') as q from w
create table o as select jsonb_object_agg(s, a order by id) filter (where s is not null) as x, json_object_agg(id, b order by id) as y from t
create table o as select id, xpath('/r/text()', xmlelement(name r, s))::text as x, xmlforest(a, b as bb)::text as y, xmlconcat(xmlelement(name p, k))::text as z from t
create table o as select id, int4range(least(a, b), greatest(a, b)) * int4range(0, 3) as x, k <@ int4range(least(a, b), greatest(a, b)) as y, upper(int4range(k, k + 2)) - k as z from t where a is not null and b is not null and k is not null
create table o as select range_agg(int4range(k, k + a) order by id) as x, range_merge(int4range(0, max(b))::int4range, int4range(1, 2)) as y from t
create table o as select unnest(multirange(int4range(k, k + a))) as x, id from t where a > 0
create table o as select id, a from t tablesample bernoulli (100) repeatable ((select 3)) where b > 1
create table o as with x as materialized (select k, sum(a) as sa from t group by k), y as not materialized (select x.k, x.sa + count(u.c) as m from x join u using (k) group by x.k, x.sa) select m from y where k > (select min(sa) from x)
create table o as with recursive r as (select x, y, 0 as d from z where x > 2 union all select z.x, z.y, d + 1 from z join r on z.x = r.y where d < 5) cycle x set cyc to 'Y' default 'N' using pth select x, cyc, array_length(pth, 1) as n from r
create table o as select id from t where (a, b, k) > (select c, k, id from u order by d, id limit 1)
create table o as select t.id, u.* from t left join lateral (select u.c, count(*) over () as n from u where u.k = t.k order by u.c desc, u.id limit 1) u on true
create table o as select q.* from t, lateral (select u.c, r.m from u, lateral (select max(z.y) as m from z where z.x > u.id and z.x > t.id) r where u.k = t.k) q
create table o as select k, s, count(*) as n, max(q.c) as c from t natural full join (select k, s, c from u) q group by k, s
create table o as select x.k, x.v from (select k, s, a as v from t) x left join (select k, s from u where c > 1) y using (k, s) right join (select s, x as i from z) q using (s)
create table o as select s, k, y from t full join u using (s, k) full join z using (s)
create view v1 as select distinct on (k) k, a, s from t order by k, b, id; create view v2 as select distinct on (s) s, a from v1 order by s, k; create table o as select a from v2
create table o as select distinct on (t.k) t.k, u.c, (select max(y) from z where z.x = t.id) as m from t join u using (id) order by t.k, u.d, t.id
create table o as select (select (x).p from (select row_number() over (order by a, id) as p from t where t.k = u.k) x limit 1) as q, id from u
create table o as select id, (select sum(n) from (select count(*) as n from u where u.k = t.k group by u.s having max(u.c) > t.a) q) as x from t
create table o as select id, case when (select bool_and(c > t.a) from u where u.k = t.k) then (select min(y) from z) else b end as x from t
create table o as select id, exists (select from u where u.k = t.k except select from z where z.y > t.a) as x from t
create table o as select x.a, x.r from (select a, rank() over (order by b desc) as r, k from t union all select c, dense_rank() over (partition by s order by k), k from u) x where x.k > 1
create table o as (select a, s from t where b > 1 union select c, s from u order by 1 nulls last, 2 limit 4) except all (select y, s from z order by x limit 2)
create table o as select id, percentile_cont(0.5) within group (order by a) filter (where b > 1) as p, count(*) as n from t group by id having mode() within group (order by k) > 1
create table o as select id, lag(a) over w as x, first_value(b) over w as y, nth_value(k, 2) over (w rows between unbounded preceding and unbounded following) as z from t window w as (partition by s order by id)
create table x (i int primary key, j int, total int generated always as (j * 2) stored); insert into x select id, a from t on conflict (i) do nothing; update x set j = u.c from u where u.id = x.i; create table o as select total from x
create rule r1 as on insert to p do also insert into z values (new.v + 100, new.n, new.g) on conflict do nothing; insert into p select s, k, id, a from t where b > 1
create materialized view mv as select k, sum(a) as sa from t group by k; create unique index on mv (k); refresh materialized view mv; create table o as select u.id, mv.sa from u join mv using (k)
create table o (i int, j int default 4, s text); insert into o (i, s) select id, s from t where a > 1 union all select id, s from u where c > 1
create table o as select generate_series(1, a) as g, id from t
create table o as select id, unnest(l) as e, generate_series(1, k) as g from w
create table o as select id, regexp_split_to_table(s, 'b') as e, (regexp_matches(s, '(a)(b)?'))[1] as m from t
create table o as select x.n, t.id from t, string_to_table(t.s, 'b') with ordinality x(v, n) where x.v <> ''
create table o as select width_bucket(a, 0, 5, 3) as x, id, format('%s-%s', s, k) as y, concat_ws('/', s, a) as z, quote_literal(s) as q, num_nonnulls(a, b) as n from t
create table o as select id, (d, d + 2) overlaps (date '2024-01-02', date '2024-01-03') as x, d - date '2024-01-01' as y, age(d)::text is null as z, daterange(d, d + 2) as r from u
create view v1 as select x, y as yy, s from z where y > 0; insert into v1 select id + 20, a, s from t where b > 1; delete from z where false
create view v1 as select x, y as yy, s from z where y > 0; update v1 set yy = t.a from t where t.id = v1.x; delete from z where false
create view v1 as select x, y, s from z where y > 1; delete from v1 using t where t.id = v1.x and t.a > 1; delete from z where false
create table o as select x.a from (select y.a, y.b from (select id, a, b from t order by b, id) y) x limit 3
create table o as select array_agg(a) as l from (select a, b from t order by b, id) x
-- rows of types and of functions
create type pt as (p int, q text); create table o as select (row(a, s)::pt).p as x, (row(a, s)::pt).q as y from t
create type pt as (p int, q text); create table o as select (y).p as p, (z1.y).q as q from (select row(a, s)::pt as y, k from t) z1 where (y).p > 0 and k > 1
create type pt as (p int, q text); create function f(i int) returns pt language sql as 'select max(a), max(s) from t where k = i'; create table o as select (f(c)).p as x, (f(c)).q as y from u
create type pt as (p int, q text); create function f(i int) returns pt language sql as 'select max(a), max(s) from t where k = i'; create table o as select id, (f(c)).* from u
create function f(i int, out p int, out q text) language sql as 'select max(a), max(s) from t where k = i'; create table o as select id, (f(c)).p, (f(c)).q as qq from u
create function f(i int, out p int, out q text) language sql as 'select max(a), max(s) from t where k = i'; create table o as select u.id, x.* from u, f(u.c) x
update z a set y = b.y from z b where b.x = a.y and b.s <> a.s
create function f(i int) returns int language sql return (select max(c) from u where k = i) + i; create table o as select id from t where f(a) > 2
create function f(i int) returns setof int language sql as 'select c from u where k = i'; create table o as select id, f(a) as x from t
create function f(i int) returns setof int language sql as 'select c from u where k = i'; create table o as select f from f(1)
-- routines: what decides whether they write, and what they return
create table pp (g text, y int, v int, n int); create function trg() returns trigger language plpgsql as $$ begin if new.v > 2 then insert into z values (100 + new.n, new.y, new.g) on conflict do nothing;end if;return new;end $$; create trigger tr after insert on pp for each row execute function trg(); insert into pp select s, k, a, id from t; delete from z where false
create table pp (g text, y int, v int, n int); create function trg() returns trigger language plpgsql as $$ begin insert into z values (100 + new.n, new.v, new.g) on conflict do nothing;return null;end $$; create trigger tr after insert on pp for each row when (new.y > 1) execute function trg(); insert into pp select s, k, a, id from t; delete from z where false
create table pp (g text, y int, v int, n int); insert into pp select s, k, a, id from t; create function trg() returns trigger language plpgsql as $$ begin update z set y = coalesce(y, 0) + new.v where x = new.n;return new;end $$; create trigger tr after update of v on pp for each row when (old.v is distinct from new.v) execute function trg(); update pp set v = u.c from u where u.id = pp.n; delete from z where false
create table pp (g text, y int, v int, n int); create rule r1 as on insert to pp where new.v > 2 do also insert into z values (new.n + 50, new.y, new.g) on conflict do nothing; insert into pp select s, k, a, id from t; delete from z where false
create table pp (g text, y int, v int, n int); create function ff() returns trigger language plpgsql as $$ begin insert into z select id + 20, (select count(*) from newt where v > 2), s from t;return null;end $$; create trigger tr after insert on pp referencing new table as newt for each statement execute function ff(); insert into pp select s, k, c, id from u; delete from z where false
do $$ declare r record;begin for r in select id, a, s from t where b > 1 loop if r.a > 1 then insert into z values (r.id + 20, r.a, r.s);else update z set y = r.a where x = r.id;end if;end loop;end $$; delete from z where false
do $$ begin for i in 1..3 loop if (select count(*) from t where a > i) > 2 then insert into z values (i + 50, i, 'a');elsif exists (select from u where c = i) then update z set s = 'q' where x = i;end if;end loop;end $$; delete from z where false
do $$ declare n int;m int;begin select count(*), max(k) into n, m from t where a > 1;case when n > 4 then delete from z where y > 1;when m > 4 then update z set y = 7;else insert into z values (77, 1, 'x');end case;end $$; delete from z where false
do $$ declare n int := (select max(a) from t);begin while n > 0 loop insert into z values (n + 60, 1, 'x');n := n - 1;end loop;end $$; delete from z where false
do $$ declare r record;begin for r in select 1 from t where a > 2 loop insert into z select coalesce(max(x), 0) + 1, 1, 'x' from z;end loop;end $$; delete from z where false
create function ff(i int) returns table (p int, q text) language plpgsql as $$ begin for p, q in select a, s from t where k = i loop if p > 1 then return next;end if;end loop;end $$; create table o as select u.id, x.p, x.q from u, ff(u.k) x
create function ff(i int) returns setof int language plpgsql as $$ declare v int;begin for v in select a from t where k > i loop return next v;end loop;return;end $$; create table o as select u.id, x from u, ff(u.k) x
create function ff(i int) returns setof t language plpgsql as $$ declare r t%rowtype;begin for r in select * from t where k > i loop if r.b > 1 then return next r;end if;end loop;return;end $$; create table o as select x.a, x.s from ff(1) x
create function ff(i int) returns int language plpgsql as $$ begin if i > (select avg(c) from u) then return 1;else return 0;end if;end $$; create table o as select id, ff(a) as x from t
create function ff(i int) returns setof int language plpgsql as $$ begin if i > 2 then return query select c from u;else return query select a from t where b > i;end if;end $$; create table o as select z.x, q from z, ff(z.y) q
create procedure pr(inout n int) language plpgsql as $$ begin select n + max(c) into n from u;end $$; do $$ declare v int := 1;begin call pr(v);update z set y = v;end $$; delete from z where false
create function ff(r t) returns text language sql as 'select r.s || r.k'; create table o as select ff(t) as x, ff(q.*) as y from t natural join t q
create view v1 as select x, y from z; create function ff() returns trigger language plpgsql as $$ begin insert into z values (new.x + 30, new.y, 'v');return new;end $$; create trigger tr instead of insert on v1 for each row execute function ff(); insert into v1 select id, a from t where b > 1; delete from z where false
create view v1 as select x, y, s from z; create rule r1 as on insert to v1 do instead insert into z values (new.x + 50, new.y, new.s) returning z.x, z.y, z.s; create table o (i int, j int); with q as (insert into v1 select id, a, s from t where b > 1 returning x, y) insert into o select x, y from q
create view v1 as select x, y, s from z; create rule r1 as on insert to v1 do instead nothing; create rule r2 as on insert to v1 where new.y > 2 do insert into z values (new.x + 50, new.y, new.s); insert into v1 select id, a, s from t; delete from z where false
create table x as select * from z; create rule r1 as on insert to x do instead insert into z values (new.x + 50, new.y, new.s); insert into x select id, a, s from t where b > 1; delete from z where false
create table x as select * from z; create rule r1 as on update to x do instead update z set y = new.y where z.x = old.x; update x set y = t.a from t where t.id = x.x; delete from z where false
create table x as select * from z; create rule r1 as on delete to x do also delete from z where z.x = old.x; delete from x where y > (select avg(a) from t); delete from z where false
create function ff(out p int) language plpgsql as $$ begin select max(a) into p from t where b > 1;end $$; create table o as select ff() as x, id from u
create function ff(i int, out p int, out q text) language plpgsql as $$ begin select max(a), max(s) into p, q from t where k = i;end $$; create table o as select u.id, x.p, x.q from u, ff(u.k) x
create function ff(i int, out p int, out q text) returns setof record language plpgsql as $$ begin for p, q in select a, s from t where k = i loop return next;end loop;end $$; create table o as select u.id, x.p, x.q from u, ff(u.k) x
create function ff() returns table (p int, q text) language plpgsql as $$ declare r record;begin for r in select id, a, s from t where b > 1 loop p := r.a + 1;q := (select max(s) from u where u.c = r.a);return next;end loop;end $$; create table o as select x.p, x.q from ff() x
create function ff(i int) returns table (p int, q text) language plpgsql as $$ begin return query select a, s::text from t where k > i;p := 1;q := (select max(s) from u);return next;end $$; create table o as select x.p, x.q from ff(1) x
create function ff(inout p int, out q int) language plpgsql as $$ begin q := (select max(c) from u where k = p);p := p + q;end $$; create table o as select t.id, x.p, x.q from t, ff(t.a) x
create function ff(p int) returns int language plpgsql as $$ declare v int;begin select a into strict v from t where id = (select min(id) from t where k = p);return v;exception when no_data_found then return (select max(c) from u);end $$; create table o as select id, ff(k) as x from u
create function ff(tab text) returns bigint language plpgsql as $$ declare n bigint;begin execute 'select count(*) from t where a > $1' into n using (select min(c) from u);return n;end $$; create table o as select ff('t') as x
create function gg(i int) returns setof u language sql as 'select * from u where k = i'; create function ff(i int) returns table (n bigint, m int) language sql as 'select count(*), max(c) from gg(i)'; create table o as select t.id, ff.n, ff.m from t cross join lateral ff(t.k)
do $$ declare flag int := 0;begin if exists (select from t where a > 4) then flag := 1;end if;insert into z values (60, flag, 'x');end $$; delete from z where false
create function ff(i int) returns int language plpgsql as $$ declare r int := 0;begin if exists (select from u where k = i) then r := 5;end if;return r;end $$; create table o as select id, ff(a) as x from t
create table pp (i int, v int); create function ff() returns trigger language plpgsql as $$ begin if new.v > 2 then return null;end if;return new;end $$; create trigger tr before insert on pp for each row execute function ff(); insert into pp select id, a from t
create table pp (i int, v int); create function ff() returns trigger language plpgsql as $$ begin if exists (select from u where u.id = new.i and c > 2) then return null;end if;return new;end $$; create trigger tr before insert on pp for each row execute function ff(); insert into pp select id, a from t
create table pp (i int, v int); create table lg (op text, i int, v int); create function ff() returns trigger language plpgsql as $$ begin if tg_op = 'DELETE' then insert into lg values ('d', old.i, old.v);return old;end if;insert into lg values ('i', new.i, new.v);return new;end $$; create trigger tr after insert or delete on pp for each row execute function ff(); insert into pp select id, a from t where b > 1; delete from pp where v in (select c from u); create table o as select * from lg
create table pp (i int, v int); create function ff() returns trigger language plpgsql as $$ declare m int;begin select max(c) into m from u where k = new.v;if m is not null then new.v = m;end if;return new;end $$; create trigger tr before insert on pp for each row execute function ff(); insert into pp select id, a from t
do $$ declare v int;n int := 0;begin for v in select a from t order by id loop if v > 3 then n := n + 1;end if;end loop;update z set y = n;end $$; delete from z where false
do $$ declare v int;begin if (select max(a) from t) > 4 then select min(c) into v from u;else select max(k) into v from u;end if;update z set y = v;end $$; delete from z where false
create function ff(out n bigint, out m int) language sql as 'select count(*), max(a) from t where b > 1'; do $$ declare r record;begin r := ff();update z set y = r.m where x < r.n;end $$; delete from z where false
-- elements, rows, views and partitions
create type pr as (p int, q text); create function mk(i int, s text) returns pr language sql as 'select i, s'; create table o as select (mk(a, s)).p as x, (mk(b, s)).q as y from t
create type pr as (p int, q text); create function ff(v pr) returns int language sql as 'select v.p + length(v.q)'; create table o as select id, ff(row(a, s)::pr) as x from t
create table x (i int, l int[]); insert into x select id, l from w; update x set l[1] = t.a from t where t.id = x.i; create table o as select i, l from x
create table x (i int, l int[]); insert into x (i, l[1], l[2]) select id, a, b from t where k > 1; create table o as select i, l from x
create domain pos as int check (value > -1); create table o (i int, v pos); insert into o select id, a + b from t where a + b is not null
do $$ declare r t%rowtype;begin select * into r from t where id = (select min(id) from t);if found then update z set y = r.a;end if;end $$; delete from z where false
do $$ begin update z set s = 'f' from t where t.id = z.x and t.a > 3;if not found then update z set y = 99;end if;end $$; delete from z where false
do $$ declare n int;begin delete from z using t where t.id = z.x and t.a > 2;get diagnostics n = row_count;insert into z values (70 + n, n, 'd');end $$; delete from z where false
create table o as select id, jsonb_path_query_first(j, '$.a') as x, j @? '$.b' as y, jsonb_array_length(jsonb_path_query_array(j, '$.*')) as n from w
create table o as select x.* from w, lateral (select sum(e) as n, max(e) as m from unnest(w.l) e where e > w.k) x
create table o as select id from t where t.* is distinct from (select q from t q where q.id = 1)
create table o as select id, t.*::text as x from t where a > 1
create table o as select lower(r) as x, upper(r) as y from (select int4range(least(a, b), greatest(a, b) + 1) as r from t) q where r @> 2
create table o as select range_agg(int4range(least(a, k), greatest(a, k) + 1)) as x, k from t group by k
create table o as with recursive r as (select id, k, 1 as d from t where a > 2 union all select t.id, t.k, d + 1 from t join r on t.k = r.id where d < 4) cycle id, k set c to 1 default 0 using p select id, c, d from r
create table o as with recursive r(i, d) as (select id, 0 from t where a > 3 union all select t.id, d + 1 from r, t where t.k = r.i and d < 3) search breadth first by i set o1 select i from r order by o1 limit 4
create table o (i int); with a1 as (delete from z where x in (select id from t where a > 1) returning *), b1 as (update u set c = a1.y from a1 where a1.x = u.id returning u.c) insert into o select c from b1
with a1 as (insert into z select id + 40, c, s from u where k > 1 returning x, y) update z set y = t.a from t, a1 where t.id = z.x and a1.y > 0
create view v1 as select x, y from z where y > 0; update v1 set y = t.a from t where t.id = v1.x; delete from z where false
create view v1 as select x as xx, y as yy, s from z; insert into v1 (xx, yy) select id + 50, a from t where b > 1; delete from z where false
create table pp (i int, v int, vv int generated always as (v * 2) stored); insert into pp (i, v) select id, a from t; create table o as select vv from pp where i > 2
create table pp (i int, v int default 7); insert into pp select id from t where a > 1; insert into pp select id, default_v from (select id, c as default_v from u) q; create table o as select v from pp
create function ff(anyelement) returns anyelement language sql as 'select $1'; create table o as select ff(a) as x, ff(s) as y from t
create function ff(int, int) returns int language sql as 'select $1 + (select max(c) from u where k = $2)'; create table o as select id, ff(a, b) as x from t
create aggregate mysum(int) (sfunc = int4pl, stype = int, initcond = '0'); create table o as select k, mysum(a) as x from t where a is not null group by k
create table o as select id, a operator(pg_catalog.+) b as x from t
create table o as select distinct on (k) k, first_value(a) over (partition by k order by b, id) as f from t order by k, s, id
create table o as select id, sum(a) over w1 as x, count(*) over (w1 rows between current row and unbounded following exclude ties) as y from t window w1 as (partition by k order by b)
create table o as select id from t order by b desc nulls last, a fetch next 3 rows with ties
create table o as select id, case when (select count(*) from u where u.k = t.k) > 1 then a else b end as x, (select c from u where u.id = t.id) is null as y from t
create table o as select coalesce(sum(a) filter (where b > 1), 0) as x, string_agg(distinct s, '' order by s desc) as y from t having count(*) > (select count(*) from z where y > 2)
create table o as select x.a, x.c from (t join u using (id)) as x(id, k1, a, b, s1, k2, c)
create table o as select id, (values (a), (b) order by 1 limit 1) as x from t
create table o as select v.p, v.q from t cross join lateral (select a, s union all select b, 'z' where t.k > 1) v(p, q)
create table o as select xmlelement(name e, xmlattributes(id as i), s)::text as x, (xpath('//a/text()', xmlelement(name a, k)))[1]::text as y from t
create temp table x on commit drop as select id, a from t where b > 1; create table o as select u.c, x.a from u join x using (id)
create table x (like t including all); insert into x select * from t where a > 1; create table o as select s, b from x
create table x () inherits (t); insert into x select id + 20, k, a, b, s from t where a > 1; create table o as select id, a from t where id > 20
create table o (i int, v int); insert into o select id, a from t returning i
create table o as select to_tsvector('simple', s) @@ to_tsquery('simple', 'a') as x, id from t where a > 0
create table o as select t.id, q.n from t left join (select k, count(*) filter (where c > 1) as n from u group by k having bool_or(c > 2)) q on q.k = t.k
-- numbers that count columns, rows and documents as structs
create table o as select (x.y).a as v from (select t as y from t) x
create table o as select (x.y).* from (select u as y, id from u where c > 1) x
create table o as select (y).a + (y).b as v from (select t as y from t where k > 1) x where (y).s = 'a'
create table o as select (r).c from (select t.id, u as r from t join u using (id)) x
create table o as select (r).z from (select q as r from (select id, a + b as z from t) q) x
create table o as with c as (select t as y, k from t) select (c.y).b as v from c where c.k > 1
create table o as select y->>'a' as v from (select to_jsonb(t) as y from t) x
create table o as select (q).a as v from (select (array_agg(t order by id))[1] as q from t) x
create table o as select ((array_agg(x.y order by (x.y).id))[1]).b as v from (select t as y from t) x
create table o as select id, jsonb_build_object('a', a, 'b', b)->>'b' as x from t
create table o as select (j->>'a')::int as v from (select jsonb_build_object('a', a, 'b', b) as j from t) x
create table o as select j #>> '{a,b}' as v from (select json_build_object('a', json_build_object('b', a, 'c', b)) as j from t) x
create table o as select j->'a'->>'b' as v from (select json_build_object('a', json_build_object('b', a, 'c', b), 'd', k) as j from t where s > 'a') x
create table o as select j->'a'->>'b' as v from (select (json_build_object('a', json_build_object('b', a, 'c', b), 'd', k)::jsonb) as j from t where s > 'a') x where j->>'d' = '1'
create table o as select row_to_json(q)->>'z' as v from (select a + b as z, k from t) q
create table o as select j->>s as v from (select s, jsonb_build_object('a', a, 'b', b) as j from t) x
create table o as select a from (select * from t order by 4, 1 limit 4) q
create table o as select * from (select k, a, b from t union all select id, c, k from u order by 3, 1, 2 limit 4) q
create table o as select q.id from (select t.*, u.c from t join u using (id) order by 6, 1 limit 3) q
create table o as select j->>'b' as v from (select row_to_json(q) as j from (select a, b from t where k > 1) q) x
create table o as select id, case when j @> '{"a": 1}' then k else (j->>'b')::int end as v from w
create table o as select g.d::date as d, count(u.id) as n from generate_series(date '2024-01-01', date '2024-01-05', interval '1 day') g(d) left join u on u.d = g.d group by 1
-- functional notation
create function twice(t) returns int language sql as 'select $1.a * 2'; create table o as select id, t.twice as x from t
create function twice(r t) returns int language sql as 'select r.a + r.b'; create table o as select q.twice as x from t q where q.twice > 2
create table o as select a(t) as x, s(t) as y from t
create table o as select id, c(q) as x from (select u.id, u.c, t.a from u join t using (id)) q where a(q) > 1
create function full_(r u) returns text language sql as $$ select r.s || (select max(s) from z where z.x = r.id) $$; create table o as select u.full_ as x, u.full_ || 'q' as y from u
create view v1 as select id, a, b from t; create function ab(v v1) returns int language sql as 'select v.a + v.b'; create table o as select v1.ab as x from v1
-- conflicts
create table x (i int primary key, v int unique, n int); insert into x select id, id + 10, a from t; insert into x select id, id + 20, c from u on conflict do nothing; create table o as select n from x
create table x (i int, v int, n int, constraint kk unique (i, v)); insert into x select id, 1, a from t; insert into x select id, k, c from u on conflict on constraint kk do update set n = excluded.n; create table o as select i, n from x
create table x (i int, n int); create unique index on x (i); insert into x select id, a from t; insert into x select id, c from u on conflict do nothing; create table o as select n from x
create table x (i int, n int); create unique index ix on x ((i % 10)) where i > 0; insert into x select id, a from t; insert into x select id + 10, c from u on conflict do nothing; create table o as select n from x
-- documents and arrays that the query makes
create table o as select (array[a, b])[1] as x, (array[a, b, k])[2:3] as y from t
create table o as select json_build_array(a, b)->0 as x, jsonb_build_array(a, b, k)->>2 as y from t
create table o as select (array[row(a, s), row(b, s)])[1]::text as x from t
create table o as select to_jsonb(array[a, b])->1 as x, to_json(t)->>'b' as y from t
create table o as select (array[a] || array[b])[1] as x, array_cat(array[a], array[b, k]) as y from t
create table o as select (jsonb_build_object('p', a) || jsonb_build_object('q', b))->>'q' as x from t
create table o as select j->'l'->>0 as x from (select jsonb_build_object('l', jsonb_build_array(a, b), 'm', k) as j from t) q
create temp table x as select jsonb_build_object('p', a, 'q', b) as j, id from t; create table o as select j->>'p' as v from x
create table o as select (array_agg(a order by id))[1] as x, (select (array[max(c), min(k)])[1] from u) as y from t
-- writing
merge into z using (select id, a, b, s from t where k > 0) q on q.id = z.x when matched and q.a > 3 then delete when matched and z.y > q.b then update set y = q.a, s = default when matched then do nothing when not matched and q.b > 1 then insert (x, y) values (q.id, q.a) when not matched then do nothing
with q as (select id, a from t where b > 1), r as (select id, c from u) update z set y = q.a + r.c from q left join r using (id) where q.id = z.x
update z set (y, s) = row(t.a, t.s) from t where t.id = z.x and exists (select from u where u.id = t.id and c > 1)
update z set y = default, s = (select max(s) from t where t.id = z.x) where y > any (select c from u)
create table x (i int, v int, g int generated always as (v + i) stored); insert into x (i, v) select id, a from t; update x set v = u.c from u where u.id = x.i; create table o as select g from x
with d as (delete from z where y > (select min(a) from t) returning x), i as (insert into p select 'n', 2020, x, 1 from d returning v) update u set c = i.v from i where i.v = u.id
-- windows, grouping, laterals, recursion
create table o as select id, sum(a) filter (where b > 1) over (partition by k order by id groups between 1 preceding and current row exclude current row) as x, first_value(s) over (order by b, id rows between 1 preceding and 1 following exclude ties) as y from t
create table o as select k as g, a % 2 as par, count(*) as n, grouping(a % 2) as gp from t group by grouping sets ((k, a % 2), (k), ())
create table o as select t.id, q.v, q.w from t, lateral (select c as v, sum(c) over (order by id) as w from u where u.k = t.k order by c desc, id limit 1) q where q.w > t.a
create table o as with recursive r(i, arr) as (select id, array[k] from t where a > 2 union all select t.id, arr || t.k from t join r on t.k = r.i where array_length(arr, 1) < 3) select i, arr[1] as f from r
create table o as select id, (select max(v) from (values (t.a), (t.b), ((select min(c) from u where u.k = t.k))) q(v)) as x from t
create view v1 as select k, max(a) over (partition by k) as m, b from t; create view v2 as select k, sum(m) as sm from v1 where b > 1 group by k; create table o as select u.id, v2.sm from u join v2 using (k)
create table o as select t.id, e.v, e.n from t, jsonb_array_elements(jsonb_build_array(t.a, t.b)) with ordinality e(v, n) where e.v <> 'null' and e.n > t.k - 2
create table o as select id, ((select row(max(c), min(k)) from u where u.k = t.k)::text) as x, coalesce((select (q).c from u q where q.id = t.id), b) as y from t
create table o as select (select count(*) filter (where u.c > t.a) from u) as x, (select sum(t.b + u.c) from u where u.id = t.id) as y from t
-- rows given to functions
create function ff(r t) returns t language plpgsql as $$ begin r.a := r.b;return r;end $$; create table o as select (ff(t)).s as x from t
create function ff(r t) returns t language plpgsql as $$ declare q t;begin if r.a > 1 then q := r;end if;return q;end $$; create table o as select (ff(t)).s as x from t
create function ff(r t) returns text language plpgsql as $$ begin return r.a || to_jsonb(r)::text;end $$; create table o as select ff(t) as x from t
create function ff(r t) returns text language sql as $$ select r.a || (select (r).s || r.k) $$; create table o as select ff(t) as x, t.ff as y from t
create function ff(r t, i int) returns bigint language sql as $$ select r.a + count(*) from u where u.c > r.b and u.k < i $$; create table o as select ff(t, t.id) as x from t
create function ff(r t) returns setof int language sql as $$ select c from u where u.k = r.k $$; create table o as select t.id, q.v from t, ff(t) q(v)
create function ff(r t) returns int language sql as $$ select r.a $$; create table o as select k, max(t.ff) as x from t group by k having min(t.ff) > 0
create function ff(r t) returns int language sql as $$ select r.a $$; create table o as select t.id from t order by t.ff, id limit 3
create function ff(r t) returns int language sql as $$ select r.a $$; update z set y = t.ff from t where t.id = z.x and t.ff > 1
-- a second round of further combinations
create function ff(i int) returns int language plpgsql as $$ declare tot int := 0;c1 cursor (q int) for select a from t where k = q;r record;begin for r in c1(i) loop tot := tot + r.a;exit when tot > 9;end loop;return tot;end $$; create table o as select id, ff(c) as x from u
do $$ declare arr int[];i int;begin select array_agg(a order by id) into arr from t where b > 1;foreach i in array arr loop update z set y = y + i where x = i;end loop;end $$; delete from z where false
do $$ declare r record;begin for r in select id, sum(c) over (order by id) as run from u loop if r.run > 5 then insert into z values (r.id + 80, r.run, 'r') on conflict do nothing;end if;end loop;end $$; delete from z where false
create function tg() returns trigger language plpgsql as $$ begin if new.y is distinct from old.y then new.s := old.s || (select count(*) from u where c > new.y);end if;return new;end $$; create trigger tr before update on z for each row execute function tg(); update z set y = t.a from t where t.id = z.x
create function ff(variadic arr int[]) returns int language sql as $$ select max(x) from unnest(arr) x $$; create table o as select id, ff(a, b, (select min(c) from u where u.k = t.k)) as v from t
create function ff(i int, j int default 2) returns table (p int, q text) language sql as $$ select a + j, s from t where k = i $$; create table o as select u.id, f.* from u left join lateral ff(u.c, j => u.k) f on f.p > 1
create view v1 as select x, y, s from z where y > 1 with check option; with n as (update v1 set s = t.s from t where t.id = v1.x returning v1.x, v1.s, t.a) insert into p select s, 2020, x, a from n; delete from p where false
create table par (i int, v int, d int generated always as (v + 1) stored); insert into par (i, v) select id, a from t; create view v1 as select i, d from par; create table o as select u.c, v1.d from u join v1 on v1.i = u.id
create type st as enum ('a', 'b', 'ab', 'c'); create table o as select id, s::st as e from t where s::st > 'a'::st
create table o as select t.id, r.* from t cross join lateral jsonb_to_recordset(jsonb_build_array(jsonb_build_object('p', a, 'q', b))) as r(p int, q int)
create table o as select id, (select jsonb_agg(jsonb_build_object('c', c) order by id) from u where u.k = t.k) #>> '{0,c}' as v from t
create table o as select array(select unnest(array[a, b, k]) order by 1) as v, (array[a, b])[k] as w from t
create table o as select id, (array_agg(a) filter (where b > 1) over (partition by k order by id))[1] as v from t
create table o as select k, (percentile_disc(array[0.5]) within group (order by a))[1] as v, max(s) filter (where b > 1) as w from t group by k
create table o as select id, row(a, b) < row(k, id) as v, (t.*) is not null as w, coalesce(t.s, 'x') || t.k as q from t
create table o as with recursive r(i, p) as (select id, k from t where a > 1 union (select t.id, r.p from t join r on t.k = r.i)) select i, count(*) as n from r group by i having count(*) > 0
insert into z (x, y) select id, c from u on conflict (x) do update set y = greatest(z.y, excluded.y), s = (select max(s) from t where t.id = excluded.x) where excluded.y <> any (select a from t where t.k = z.y)
create table o (i int, v int); with s as (select id, c from u), up as (update z set y = s.c from s where s.id = z.x returning z.x) insert into o select s.id, s.c from s where not exists (select from up where up.x = s.id)
create sequence sq; create table o as select setval('sq', 5 + 0 * a) as v, id from t where b > 1
create table o as select distinct on (s) s, first_value(a) over w as f, sum(b) over (w rows unbounded preceding) as r from t window w as (partition by s order by id desc) order by s, id
create table o as select x.id, y.m from t x left join lateral (select max(q.c) as m from (select c from u where u.k = x.k union all select y from z where z.x = x.a) q having count(*) > 1) y on true
create table o as select id, a from t where (select count(*) from t t2 where t2.k = t.k and (t2.b, t2.id) < (t.b, t.id)) < 2
create table x (i int primary key, v int unique, n text); insert into x select id, id + 10, s from t; insert into x select id, k + 11, s from u where k is not null on conflict do nothing; create table o as select i, n from x
with src as (select id, max(c) as m, min(s) as s from u where id < 9 group by id) merge into z as tgt using src on src.id = tgt.x when matched and tgt.s <> src.s then update set (y, s) = (src.m, tgt.s || src.s) when not matched then insert (x, y, s) values (src.id, (select max(a) from t where t.id = src.id), src.s)
