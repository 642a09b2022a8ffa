-- windows
create table o as select id, sum(a) over (partition by k order by b, id rows between 1 preceding and 1 following) as x from t
create table o as select id, sum(a) over (order by b range between 1 preceding and current row) as x from t
create table o as select id, count(*) over (order by b groups between unbounded preceding and 1 preceding exclude ties) as x from t
create table o as select id, sum(a) over w1 as x, avg(b) over w2 as y from t window w1 as (partition by k), w2 as (w1 order by id)
create table o as select id, lag(a, 1, b) over (partition by s order by k, id) as x, lead(a) over (order by id) - a as y from t
create table o as select id, sum(a) filter (where b > 2) over (partition by k) as x from t
create table o as select id, sum(sum(a)) over (order by k) as x from t group by id, k
create table o as select k, rank() over (order by sum(a) desc, k) as x from t group by k
create table o as select id, a from t qualify sum(b) over (partition by k) > 4
create table o as select id, a, dense_rank() over w1 as r from t window w1 as (partition by s order by b, id) qualify r = 1 and k > 0
create table o as select k, max(a) as m from t group by k qualify row_number() over (order by max(b), k) <= 2
create table o as select id, list(a) over (partition by k order by id) as x, arg_max(s, id) over (partition by k) as y from t
create table o as select id, sum(a) over (order by id rows between k preceding and current row) as x from t where k is not null
create table o as select id, first_value(s ignore nulls) over (partition by k order by b, id) as x, cume_dist() over (order by a) as y from t
create table o as select id, ntile(k + 1) over (order by id) as x from t where k is not null
create table o as select (select max(c) over () from u where u.k = t.k limit 1) as x from t
-- grouping
create table o as select k, s, grouping(k, s) as g, sum(a) as x from t group by cube (k, s)
create table o as select k, s, sum(a) as x from t group by rollup (k, s)
create table o as select k, b, count(*) as x from t group by grouping sets ((k, b), (k), ())
create table o as select k, sum(a) as x from t group by k, rollup (s)
create table o as select case when a > 2 then 'hi' else s end as bucket, count(*) as n from t group by case when a > 2 then 'hi' else s end
create table o as select case when a > 2 then 'hi' else s end as bucket, count(*) as n from t group by bucket
create table o as select k + b as kb, sum(a) as x from t group by 1 having kb > 2
create table o as select k, s, sum(a) + count(b) as x from t group by all
create table o as select k, sum(a) filter (where s = 'a') as x, count(*) filter (where b > (select avg(c) from u)) as y from t group by k
create table o as select k from t group by k having count(distinct s) > 1 and max(b) > (select min(c) from u where u.k = t.k)
create table o as select (select max(c) from u where u.k = t.k) as m, count(*) as n from t group by (select max(c) from u where u.k = t.k)
create table o as select count(*) as n from t group by k having k in (select k from u where c > 1)
create table o as select sum(a) as x from t having count(*) > (select count(*) from u where c > 2)
create table o as select k, count(*) as n from t group by k having exists (select 1 from u where u.k = t.k and u.c > 1)
create table o as select max(a order by b) as x, quantile_cont(a, 0.5) as y, histogram(s) as z from t group by k
create table o as select mode(s order by s) as x, listagg(s, '-' order by b desc, id) as y from t group by k
create table o as select percentile_cont(0.25) within group (order by a desc) as x, quantile_disc(b, [0.1, 0.9]) as y from t group by s
create table o as select arg_max(s, a + b) as x, arg_min((k, s), id) as y, max_by(a, b, 2) as z from t
create table o as select corr(a, b) as x, regr_slope(a, k) as y, covar_pop(a, b) as z from t
create table o as select bool_and(a > b) as x, bit_xor(a) as y, product(k) as z, any_value(s order by id) as q from t group by k
create table o as select string_agg(distinct s, ',' order by s) filter (where a > 1) as x from t
create table o as select count(distinct k) as x, approx_count_distinct(a) as y, sum(distinct b) as z from t
-- joins
create table o as select t.id, u.c from t left join u using (k, s)
create table o as select k, t.a, u.c from t left join u using (k)
create table o as select k, t.a, u.c from t right join u using (k)
create table o as select k, t.a, u.c from t full join u using (k)
create table o as select k, a, c, y from t join u using (k) left join z on z.x = k
create table o as select * exclude (s) from t natural left join u
create table o as select * from (select k, a from t) natural full join (select k, c from u)
create table o as select id, a, c from t full outer join u using (id)
create table o as select x.id as i, y.id as j from t x join t y on x.k = y.a and x.id < y.id
create table o as select t.id, u.id as uid from t cross join u where t.a = u.c or t.b > u.k
create table o as select t.a, u.c from t positional join u
create table o as select t.id, u.c from t asof join u on t.k = u.k and t.id >= u.id
create table o as select t.id, u.c from t asof left join u using (k, id)
create table o as select id, a from t semi join u on t.k = u.k and u.c > 1
create table o as select id, a from t anti join u using (k)
create table o as select id, a from t semi join (select k from u where c > 1) x using (k)
create table o as select t.id, x.c from t, lateral (select c from u where u.k = t.k and u.c > t.a) x
create table o as select t.id, x.m, x.n from t left join lateral (select max(c) as m, count(*) as n from u where u.k = t.k) x on x.n > t.a
create table o as select t.id, y.q from t, lateral (select t.a + 1 as p) x, lateral (select x.p * t.b as q) y
create table o as select t.id, u.c from (t join u on t.k = u.k) where t.a > 1
create table o as select t.id, z.y from t left join (u join z on u.id = z.x) on t.k = u.k
create table o as select t.id from t join u on t.k = u.k and exists (select 1 from z where z.x = u.id and z.y > t.a)
create table o as select t.id, x.c from t join (select k, c from u order by id limit 3) x on x.k = t.k
-- values and row constructors
create table o as select v.n, t.a from (values (1, 'a'), (2, 'b')) v(n, w) join t on t.s = v.w
create table o as select * from (values ((select max(a) from t), (select min(c) from u)), (1, 2)) v(p, q)
create table o as select id from t where (k, a) in (select k, c from u where s = 'a')
create table o as select id from t where (k, a) > (1, 2)
create table o as select id, (k, a) = (b, k) as x, row(k, s) as y from t
create table o as select id from t where (k, s) not in (values (1, 'a'), (2, 'b'))
create table o as values (1, 2), ((select max(a) from t), (select count(*) from u where c > 1))
-- subqueries everywhere
create table o as select id from t where a > all (select c from u where u.k = t.k)
create table o as select id from t where a = any (select c from u where u.id > t.id)
create table o as select id, a in (select c from u where u.k = t.k) as x from t
create table o as select id, not exists (from u where u.k = t.k and c > 2) as x from t
create table o as select id, exists (select 1 from u where c > 2) as x from t
create table o as select id, case when exists (select 1 from u where u.k = t.k) then a else b end as x from t
create table o as select id, coalesce((select max(c) from u where u.k = t.k), b) as x from t
create table o as select id, (select count(*) from u where u.k = t.k) as x from t
create table o as select id, (select sum(c) from u where u.k = t.k having count(*) > 1) as x from t
create table o as select id from t order by (select max(c) from u where u.k = t.k) nulls last, id limit 3
create table o as select id from t order by a, id limit (select count(*) from u where c > 2) offset (select min(x) from z) - 1
create table o as select id from t order by b, id limit 40 percent
create table o as select array(select c from u where u.k = t.k order by id) as x from t
create table o as select id, (select list(c order by id) from u where u.k = t.k) as x from t
create table o as select id, (select (select max(y) from z where z.x = u.id and z.s = t.s) from u where u.k = t.k order by id limit 1) as x from t
create table o as select sum((select max(c) from u where u.k = t.k)) as x from t
create table o as select (select string_agg(s, ',' order by s) from u) || s as x from t
create table o as select id from t where (select max(c) from u where u.k = t.k) between a and b
create table o as select id from t where a in (1, (select max(c) from u), b)
-- set operations
create table o as (select a from t order by b, id limit 2) union all (select c from u order by d, id limit 2)
create table o as select a, k from t union (select c, k from u except select y, x from z)
create table o as select a from t intersect (select c from u union select y from z)
create table o as select * from (select a, s from t union all select c, s from u) x where s = 'a'
create table o as select a as x from t union all select c from u order by x limit 5
create table o as select a, s from t union by name select s, c from u
create table o as select count(*) as n from (select k from t except all select k from u) x
create table o as select x.n from (select count(*) as n from t union all select max(c) from u) x
create table o as with x as (select k from t union select k from u) select id from t where k in (from x)
-- CTEs
create table o as with recursive r(i, n) as (select id, k from t where a > 2 union all select r.i, r.n - 1 from r where r.n > 0) select i, n from r
create table o as with recursive r as (select id, k, 0 as n from t union all select u.id, u.k, n + 1 from r join u on u.id = r.k where n < 2) select id, max(n) as n from r group by id
create table o as with recursive r(x) using key (x) as (select k from t union select c from u join r on r.x = u.k) select x from r
create table o as with x as (select k, sum(a) as sa from t group by k), y as (select k from x where sa > 2) select id from t join y using (k)
create table o as with x(p, q) as (select a, b from t), y as materialized (select p + q as r from x where q > 1) select max(r) as m from y
create table o as select * from (with x as (select a from t where b > 1) select a + 1 as a1 from x) y
create table o as with x as (select id, a from t), y as (with x as (select id, c from u) select x.c from x) select x.a, y.c from x, y
-- pivot and unpivot
create table o as pivot p on y in (2020, 2021) using sum(v) group by g
create table o as pivot p on g in ('a', 'b') using sum(v) as s, count(*) as c group by y
create table o as select * from (pivot p on y in (2020, 2021) using max(n) group by g) x where "2020" > 1
create table o as from p pivot (sum(v) as total for y in (2020, 2021) g in ('a', 'b'))
create table o as pivot (select g, y, v + n as vn from p) on y in (2020, 2021, 2022) using avg(vn)
create table o as unpivot (select g, y, v, n from p) on v, n into name kind value amount
create table o as unpivot p on (v, n) as 'both' into name kind value a1, a2
create table o as from p unpivot include nulls (amount for kind in (v, n))
create table o as select kind, sum(amount) as x from (unpivot p on v, n into name kind value amount) group by kind
-- nested values
create table o as select id, r.p as rp, r['q'] as rq, struct_extract(r, 'p') as x from w
create table o as select id, l[1] as a, l[2:3] as b, l[-1] as c, l[k] as d, len(l) as n from w
create table o as select id, m['a'] as ma, map_keys(m) as mk, element_at(m, 'b') as mb, cardinality(m) as n from w
create table o as select id, list_transform(l, lambda x: x + k) as y, list_filter(l, lambda x, i: x > i) as z from w
create table o as select id, list_reduce(l, lambda x, y: x * y + k, id) as y from w
create table o as select id, list_transform(l, lambda x: x + k).list_sum() as y from w
create table o as select id, [x + k for x in l if x > id % 3] as y from w
create table o as select id, apply(l, lambda x: list_contains([k, 1], x)) as y from w
create table o as select id, unnest(l) as e, k from w
create table o as select w.id, x.e from w, unnest(w.l) as x(e) where x.e > w.k
create table o as select w.id, x.e, x.ordinality as o1 from w, unnest(w.l) with ordinality as x(e)
create table o as select id, unnest(l) as e, generate_subscripts(l, 1) as i from w
create table o as select id, unnest(map_entries(m)) as kv from w
create table o as select id, kv.key as mk, kv.value as mv from (select id, unnest(map_entries(m)) as kv from w)
create table o as select id, struct_pack(p := k, q := r.q) as st, {'a': id, 'b': [k]} as st2 from w
create table o as select id, struct_insert(r, z := k) as x, struct_update(r, p := k) as y from w
create table o as select x.st.p as p from (select {'p': a, 'q': b} as st from t) x
create table o as select unnest({'p': a, 'q': b}) from t
create table o as select id, list_zip(l, [k, id]) as x, flatten([l, [k]]) as y, list_sort(l, 'desc') as z, array_slice(l, 1, k) as q from w
create table o as select id, map([k], [id]) as x, map_from_entries([(id, k)]) as y, map {r.q: k} as z from w
create table o as select id, list_aggregate(l, 'sum') as x, list_distinct(l) as y, list_position(l, k) as z from w
create table o as select to_json(r) as x, json_object('k', k, 'p', r.p) as y, to_json({'i': id})->>'i' as z from w
create table o as select json_extract('{"a": 1}', '$.' || s) as x, ('{"a": 2}'::json)->>s as y from t
create table o as select union_value(num := a) as x, union_extract(union_value(num := b), 'num') as y from t
-- star expressions
create table o as select * exclude (a, b) from t
create table o as select * replace (a + b as a, upper(s) as s) from t
create table o as select * exclude (b) rename (a as aa) from t
create table o as select t.* exclude (s), u.c from t join u on t.k = u.k
create table o as select columns('^[ab]$') + 1 from t
create table o as select columns(lambda c: c in ('a', 'k')) from t
create table o as select columns([x for x in (*) if x like 'i%']) from t
create table o as select max(columns(* exclude (s))) from t
create table o as select concat_ws('-', *columns('[sk]')) as x from t
create table o as select * from t where columns(['a', 'b']) > 1
create table o as select * not like 'k%' from t
create table o as select * similar to '[ab]' from t
create table o as select id, s.upper() as x, a.greatest(b) as y, s.concat(s).length() as z from t
create table o as select t as whole from t
create table o as select t.s as x, (t).a as y from t
-- clauses of DuckDB
create table o as from t select id, a where b > 1
create table o as from t join u using (k) select t.id, c
create table o as from (from t where a > 1) select count(*) as n
create table o as select id, a + b as x, x * 2 as y from t where y > 3
create table o as select a + b as x, count(*) as n from t group by x order by all limit 3
create table o as select distinct on (k) k, a, s from t order by k, b, id
create table o as select distinct on (k, s) id from t order by k, s, a desc, id
create table o as select distinct a, s from t order by all desc limit 2
create table o as select id from t order by s collate nocase desc, id limit 3
create table o as select id, a from t using sample 100%
create table o as select id, a from t tablesample reservoir(100 rows)
create table o as select r, t.a from range(3) x(r) join t on t.k = x.r
create table o as select id, g.v from t, generate_series(0, t.a) g(v)
create table o as select id, x: a + 1, y: s from t
create table o as select id, 'n' || a as x, a::varchar as y, cast(a as double) / nullif(b, 0) as q from t
create table o as select id, a between b and k as x, s like 'a%' as y, s ~ 'a' as z, s is distinct from 'b' as q, a ** b as e, k // 2 as f from t
create table o as select d + interval 1 day as x, date_part('day', d) as y, extract(dow from d) as z, date_diff('day', d, date '2024-01-03') as q, strftime(d, '%d') as f from u
create table o as select id, if(a > 1, b, k) as x, ifnull(a, k) as y, greatest(a, b, k) as z from t
create table o as select coalesce(a, b, (select max(c) from u)) as x from t
create table o as summarize select id, a from t where b > 0
create table o as describe select a, s from t
-- generated columns, views over views
create table o (i integer, j integer generated always as (i * 2)); insert into o select a from t where b > 1
create view v1 as select id, a + b as ab, k from t; create table o as select ab from v1 where k > 1
create view v1(p, q) as select a, s from t; create view v2(r) as select p + 1 from v1 where q = 'a'; create table o as select r from v2
create view v1 as select * from t; create view v2 as select v1.*, u.c from v1 join u using (k); create table o as select id, c from v2
create view v1 as select k, count(*) as n from t group by k; create table o as select id, n from u join v1 using (k)
create temp table x as select a, k from t where b > 1; create table o as select sum(a) as sa from x group by k
create macro f(p, q) as p + q * 2; create table o as select f(a, b) as x from t
create macro g(n) as table select id, a from t where k > n; create table o as select id, a from g(1)
-- writing
insert into z select id + 20, k, s from t where a > 1
insert into z (x, s) select id + 20, max(s) from t group by id having sum(b) > 2
insert into z by name select s, id + 20 as x from t
insert into z select id, c, s from u where c > 1 on conflict (x) do update set y = excluded.y + z.y
insert into z select id, c, s from u on conflict (x) do update set y = excluded.y, s = z.s || excluded.s where excluded.y > z.y
insert into z values (21, (select max(a) from t), 'a'), (22, 3, (select min(s) from u))
insert into z with q as (select id + 20 as i, a from t) select i, a, 'n' from q where a > 0
update z set y = t.a + z.y, s = t.s from t where t.id = z.x and t.b > 1
update z set y = (select max(a) from t where t.id = z.x)
update z set y = q.m from (select id, max(c) as m from u group by id) q where q.id = z.x
update z set y = coalesce(y, 0) + 1 where x in (select id from t where a > 1)
update z set s = case when y > 2 then s else 'n' end where exists (select 1 from t where t.id = z.x)
delete from z where x in (select id from t where a > 1)
delete from z using t where t.id = z.x and t.a > 1
delete from z where y > (select avg(a) from t) or not exists (select 1 from u where u.id = z.x)
merge into z using t on z.x = t.id when matched and t.a > 2 then update set y = t.b when matched then delete when not matched then insert values (t.id, t.a, t.s)
merge into z using (select id, max(c) as c from u group by id) q on q.id = z.x when matched then update set y = z.y + q.c
merge into z using t on z.x = t.id when not matched by source and z.y > 1 then delete when not matched by target then insert (x, y) values (t.id, t.k)
merge into z using (select id as x, max(c) as c from u group by id) using (x) when matched then update set y = c
-- names and scopes of DuckDB's own
create table o as select id, rank(order by a desc) over (partition by k order by id) as x from t
create table o as select id, first_value(a order by b, id) over (partition by k) as x, count(distinct a) over (partition by s) as y from t
create table o as select t.id, x.e from t, (select unnest([t.a, t.b]) as e) x
create table o as select t.id, y.m from t join (select max(c) as m from u where k = t.k) y on y.m > t.a
create table o as select a.b as y from (select {'b': c, 'd': k} as a from u) a
create table o as select x.st.b.c as c, x.st.b.d as d from (select {'a': k, 'b': {'c': id, 'd': r.q}} as st from w) x
create table o as select (st).a as x, (st).b['c'] as y, st['b']['d'] as z from (select {'a': k, 'b': {'c': id, 'd': r.q}} as st from w)
create table o as select st.* from (select {'a': k, 'b': id} as st from w)
create table o as select id, unnest({'a': k, 'b': {'c': r.p, 'd': r.q}}, recursive := true) from w
create table o as select first(r order by id).p as p, list(r order by id)[1].q as q from w
create table o as select id, reduce(l, lambda acc, x, i: acc + x * i + id) as y from w where len(l) > 0
create table o as select id, list_transform(l, lambda x: list_transform([1, 2], lambda y: x * y + k)) as y from w
create table o as select * exclude (t.id, u.s) from t join u on t.k = u.k
create table o as select coalesce(*columns('a|b')) as x, struct_pack(*columns('a|b')) as y from t
create table o as select * from t order by all limit 3
create table o as pivot_wider p on y in (2020) using avg(v + n) group by g
create table o as pivot_longer p on v, n into name k value x
create table o as unpivot p on * exclude (g, y) into name k value x
create table o as select x.g, x.a from (select g, y, v from p) pivot (max(v) for y in (2020 as a, 2021 as b)) as x(g, a, b)
create table o as with recursive r(n, k) using key (k) as (select a, k from t where a is not null and k is not null union select r.n + 1, r.k from r where r.n < 3) select n, k from r
create table o as select id, (select sum(x) from (select unnest(l) as x)) as se from w
create table o as select e.value as v from t, json_each(json_object('a', t.a, 'b', t.b)) e
create function f(p) as case when p > 2 then 'hi' else 'lo' end; create table o as select f(a) as x, count(*) as n from t group by f(a)
create macro g() as table from u; create table o as select c from g() where k > 1
create macro f(p, q := 2) as p * q + (select max(c) from u); create table o as select f(a) as x, f(a, q := b) as y from t
create temp table x as select id, a, k from t; alter table x rename a to aa; create table o as select aa from x where k > 1
create temp table x as from t; alter table x rename to x2; create table o as select a from x2
merge into z using (select id as x, s, a as y from t) as q using (x) when matched then update by name when not matched then insert by name
merge into z using (select id as x, a, s as w from t) as q using (x) when matched then update when not matched then insert *
create table o as select sum(columns('a|b')) as 'sum_\0' from t group by k
create table o as select max_by({'i': id, 's': s}, a * 10 + id).s as s from t where a is not null
create temp view v as select k, a from t where b > 1; create temp macro f(n) as (select max(a) from v where k = n); create table o as select id, f(k) as x from u
-- features in combination
create table o as select id from t order by (select max(c) + (select count(*) from z where z.y > t.a) from u where u.k = t.k) nulls last, id limit 3
create table o as select id, (select c from u where u.id = t.id order by (select max(y) from z where z.x = u.id) limit 1) as x from t
create table o as select k, count(*) as n from t group by k, (select count(*) from u where u.k = t.k and u.c > 1)
create table o as select k from t group by k having sum(a) > (select count(*) from u where u.k = t.k and exists (select 1 from z where z.x = u.id and z.y > 1))
create table o as select id, sum(a) over (partition by (select max(c) from u where u.k = t.k) order by id) as x from t
create table o as select id, sum(a) over (order by (select max(c) from u where u.k = t.k), id rows between unbounded preceding and current row) as x from t
create table o as select id, sum(a) over (order by id rows between (select min(x) from z) preceding and current row) as x from t
create table o as select t.id, u.c from t join u on t.k = u.k and t.a < (select max(y) from z where z.s = u.s)
create table o as select t.id, u.c from t left join u on t.k = u.k and u.c in (select y from z where z.x > t.id)
create table o as select * from (values ((select a from t where id = (select min(x) from z)), 1), (2, (select count(*) from u where c > (select avg(b) from t)))) v(p, q)
create table o as select id, [a, (select max(c) from u where u.k = t.k), (select (select max(y) from z where z.x = t.id))] as x from t
create table o as select id, {'p': (select max(c) from u where u.k = t.k), 'q': {'r': (select count(*) from z where z.y = t.a)}} as x from t
create table o as select id, map {s: (select max(c) from u where u.k = t.k)} as x from t where s is not null
create table o as select (select l[(select min(k) from t where a > 1) + 1] from w w2 where w2.id = w.id) as x from w
create table o as (select a from t order by b, id limit 3) except (select c from u order by d, id limit 1)
create table o as ((select a, k from t order by b, id limit 4) union (select c, k from u order by s, id limit 2)) intersect (select y, x from z union select k, k from w)
create table o as select n from ((select a as n from t order by id limit 2) union all (select c from u order by k, id limit 2) order by n limit 3) q where n > 0
create table o as select id, (select max(n) from (select c as n from u where u.k = t.k union all select y from z where z.x = t.id) q) as x from t
create table o as select id from t where a in (select c from u where u.k = t.k union select y from z where z.s = t.s)
create table o as select id from t where exists ((select 1 from u where u.k = t.k limit 1) except (select y from z where z.x = t.id))
create table o as with recursive r(n, d) as ((select a, 1 from t where b > 2 union select c, 1 from u where k = 0) union all select n + 1, d + 1 from r where d < 3) select n, count(*) as q from r group by n
create table o as with recursive r(k, v) using key (k) as (select k, max(a) from t where k is not null and a is not null group by k union select r.k, r.v + u.c from r join u on u.id = r.v where r.v < 9) select k, v from r
create table o as with recursive r as (select id, k from t where a > 3 union select t.id, t.k from t, r where t.k = r.id), q as (select count(*) as n from r) select u.id, q.n from u, q where u.c > q.n
create table o as with recursive a1 as (select 1 as i union all select i + 1 from a1 where i < (select max(c) from u)), b1 as (select i, (select count(*) from t where t.a = a1.i) as n from a1) select sum(n) as sn, max(i) as mi from b1
create table o as select k, s, a, c, y from t full join u using (k, s) left join z using (s)
create table o as select k, s, t.a, u.c, w.id from t left join u using (k, s) full join w using (k)
create table o as select s, count(*) as n from t natural join z full join (select s, c from u) q using (s) group by s
create table o as select k, s, count(*) as n from t right join u using (k, s) right join (select k, s, id from t where a > 1) q using (k, s) group by all
create table o as select t.k as tk, u.k as uk, k from t full join u using (k)
create table o as select coalesce(t.k, u.k, w.k) as x, k from t full join u using (k) full join w using (k)
create table o as select * from (select k, a from t) x full join (select k, c from u) y using (k) full join (select k, id from w) q using (k)
create table o as select x.* exclude (k), k from (select k, a from t) x full join (select k, c from u) y using (k)
create table o as select t.id, u.c, z.y from t asof join u on t.k = u.k and t.id >= u.id left join z on z.x = u.id
create table o as select t.id, u.c from t asof left join (select k, id, c from u where c > 0) u on u.k = t.k and u.id > t.id
create table o as select x.a, y.c, q.y from t x positional join u y positional join z q
create table o as select x.a, y.c from (select a from t where b > 1 order by id) x positional join (select c from u where k > 1 order by id) y
create table o as select t.id, q2.m from t, lateral (select u.c, u.id as uid from u where u.k = t.k) q1, lateral (select max(z.y) as m from z where z.x = q1.uid and z.y > t.a) q2
create table o as select t.id, q.v from t left join lateral (select r.v from u, lateral (select u.c + t.a as v where u.c > 1) r where u.k = t.k) q on true
create table o as select t.id, e from t, lateral (select unnest(list(c order by id)) as e from u where u.k = t.k)
create table o as select t.id, e.x, f.y from t, unnest([a, b]) e(x), unnest([e.x, k]) f(y) where f.y > 1
create view v1 as select distinct on (k) k, a, s from t order by k, b, id; create view v2 as select distinct on (s) s, a from v1 order by s, k; create table o as select a from v2
create view v1 as select distinct on (k) k, a, s, b from t order by k, b, id; create view v2 as select v.s, v.a + u.c as ac from v1 v join u using (k); create table o as select s, sum(ac) as x from v2 group by s
create table o as select k, s, grouping(k) as gk, grouping(s) as gs, grouping_id(k, s) as g, sum(a) filter (where b > 1) as x from t group by rollup (k, s) having grouping(k) = 0 or sum(b) > 10
create table o as select k, s, b, count(*) as n from t group by grouping sets (cube (k, s), rollup (b), (k, b))
create table o as select coalesce(k, -1) as k1, case when grouping(s) = 1 then 'all' else s end as s1, max(a) as m from t group by cube (k, s) qualify row_number() over (partition by grouping(k), grouping(s) order by max(a) desc nulls last, k, s) = 1
create table o as select percentile_cont(0.5) within group (order by a) filter (where b > 1) as q, mode() within group (order by s) as md from t
create table o as select k, list(a order by b, id) filter (where s <> 'a') as x, count(*) filter (where a > b) as y from t group by k
create table o as select id, a + b as ab, sum(ab) over (partition by k) as sab from t qualify sab > 3 and ab > 1
create table o as select id, a * 2 as a2, a2 + b as x, x + a2 as y from t where x > 2 order by y, id limit 4
create table o as select k as g, sum(a) as sa, sa * 2 as dbl, dbl + g as z from t group by g having dbl > 2
create table o as select a as b, b as c from t
create table o as select k as a, a as q from t where a > 1
create table o as select s, a as k from t group by s, k, a
create table o as select columns(lambda c: c not in ('id', 's')) * 2 from t
create table o as select * exclude (s) replace (a + b as a) from t
create table o as select t.* exclude (s) rename (id as tid), u.* exclude (id, k, s) replace (c + 1 as c) from t join u using (k)
create table o as select coalesce(columns('a|b'), 0) + k as '\0_x' from t
create table o as select id from t where columns('a|b') > 0
create table o as select id, list_sum([*columns('a|b')]) as x from t
create table o as select min(columns(lambda c: c like '%k%' or c = 'a')), count(*) as n from t group by s
create table o as select * like '%i%' from t
create table o as select columns(t.* exclude (id)) from t join u using (k)
create table o as pivot p on y in (2020, 2021), g in ('a', 'b') using sum(v)
create table o as pivot p on y in (2020, 2021) using sum(v) as sv, max(n) as mn
create table o as pivot (select g, y, v from p where n > 1) on y in (2020, 2021) using sum(v) filter (where v > 1) as q group by g
create table o as select g, "2020_sv" as x from (pivot p on y in (2020, 2021) using sum(v) as sv, max(n) as mn group by g)
create table o as with q as (pivot p on y in (2020, 2021) using sum(v) group by g) select t.id, q."2021" as x from t join q on q.g = t.s
create table o as from p unpivot ((a1, a2) for nm in ((v, n), (n, v)))
create table o as select nm, g, sum(val) as x from (unpivot (select g, v, n from p) on columns('v|n') into name nm value val) group by all
create table o as unpivot (from p select g, v, n + 1 as n1) on v, n1 as other into name nm value val
create table o as select * from p pivot (sum(v) as s, avg(n) as a for y in (2020, 2021) group by g)
create table o as select x.* from (select g, y, v from p) pivot (count(v) for y in (2020, 2021)) x where g is not null
create table o as select unnest(r) from w
create table o as select id, unnest(map_keys(m)) as mk, unnest(map_values(m)) as mv from w
create table o as select id, unnest([r, {'p': k, 'q': 'x'}], recursive := true) from w
create table o as select id, x.u.p as p from (select id, unnest([r, {'p': k, 'q': 'x'}]) as u from w) x
create table o as select st.p.q as x from (select {'p': inn, 'w': id} as st from (select id, {'q': r.p, 'z': k} as inn from w))
create table o as select x.st.inn.z as z, x.st.inn.q as q from (select struct_pack(inn := inn, w := id) as st from (select id, struct_pack(q := r.p, z := k) as inn from w)) x
create table o as with a1 as (select id, {'p': a, 'q': {'u': b, 'v': k}} as st from t), a2 as (select id, st.q as sq, st.p as sp from a1), a3 as (select {'x': sq.v, 'y': sp} as fin from a2 where sq.u > 1) select fin.x as x from a3
create table o as select s, k, max(a) - min(b) as x from t group by all having x > 0
create table o as select s, a + b as ab from t order by all desc limit 4
create table o as select k, s, a from t group by all order by all limit 5
create table o as select id, a from t using sample reservoir(100%)
create table o as select q.id, q.a from (select id, a, k from t tablesample 100%) q where q.k > 1
create macro f(p, q := 2, r := 1) as p * q + r; create table o as select f(a) as x, f(a, r := b) as y, f(a, q := k, r := b) as z from t
create macro g(n, m := 3) as table select id, a + m as am from t where k > n; create table o as select x.am, y.am as am2 from g(1) x join g(0, m := 2) y using (id)
create macro f(p) as (select max(c) from u where u.k = p); create macro f2(p) as f(p) + 1; create table o as select id, f2(a) as x from t
create macro lf(l, n) as list_transform(l, lambda x: x + n); create table o as select id, lf(l, k) as x from w
create table o (i integer, j integer, ij integer as (i + j) virtual); insert into o (j, i) select a, b from t where k > 1
create table o (i integer, j integer default 5, ij integer as (i * j)); insert into o (i) select a from t where k > 1
create table x (i integer, j integer, ij integer as (i + j)); insert into x select a, b from t; create table o as select ij from x where i > 1
insert into z (s, x) select s, id + 20 from t where k in (select k from u where c > 1) on conflict (x) do nothing
insert into z by position select id + 20, a, s from t
insert into z by name select id + 20 as x, upper(s) as s, a + k as y from t where b is not null
update z set y = a from (select id, a from t where b > 1) q, u where q.id = z.x and u.id = q.id and u.c > 0
with q as (select id, sum(a) as sa from t group by id) update z set y = q.sa, s = u.s from q join u on u.id = q.id where q.id = z.x
with q as (select id from t where a > 1), r as (select q.id from q join u using (id) where u.c > 1) delete from z using r where r.id = z.x
delete from z using t, u where t.id = z.x and u.k = t.k and u.c > z.y
update z set y = (select count(*) from z z2 where z2.y > z.y), s = (select min(s) from t where t.a = z.y)
update z set y = z.y + q.n from (select s, count(*) as n from t group by s having sum(b) > 1) q where q.s = z.s
merge into z using (select id, a, s, b from t where k > 0) q on z.x = q.id when matched and q.a > z.y then update set y = q.a + z.y, s = q.s when matched and q.b > 2 then delete when matched then do nothing when not matched and q.a > 1 then insert (x, s) values (q.id, q.s) when not matched by source and z.y > 2 then update set y = -1
merge into z using (select id as x, a as y, s from t) q using (x) when matched and q.y > 2 then update when not matched then insert
with q as (select id, max(a) as a from t group by id) merge into z using q on q.id = z.x when matched then update set y = q.a when not matched then insert (x, y) values (q.id, q.a)
create temp table x as select id, a, k from t; insert into x select id, c, k from u where c > 1; create table o as select k, sum(a) as sa from x group by k
create temp table x as select id, a, k from t; update x set a = u.c from u where u.id = x.id; create table o as select a from x where k > 1
create temp table x as select id, a, k from t; delete from x where id in (select id from u where c > 1); create table o as select count(*) as n, max(a) as m from x
create temp table x as select id, a from t; alter table x add column q integer; update x set q = (select max(c) from u where u.id = x.id); create table o as select q from x
create temp table x as select id, a from t; create or replace temp table x as select x.id, x.a + u.c as ac from x join u using (id); create table o as select ac from x
create table o as select x.a from (select id, a, b from t order by b, id) x limit 3
create table o as with q(i, j, n) as (select a, b, id from t order by b, id) select i from q limit 3
create table o as select list(a) as l, sum(b) as sb from (select * from t order by s, id)
create table o as select k, string_agg(s, '-') as l from (select * from t order by b, id) group by k
create table o as select a, row_number() over () as n from (select * from t order by b, id)
create table o as select sum(a) as sa from (select a, b from t order by b)
-- chains, texts and structs of queries
create table o as select id, l.list_transform(lambda x: x + k).list_filter(lambda x: x > 2).len() as z from w
create table o as with recursive r(i, n) using key (i) as (select id, a from t where a is not null union select r.i, r.n + q.n from r join recurring.r q on q.i = r.n where r.n < 3) select i, n from r
create table o as from query('select id, a from t where b > 1')
create table o as from query_table(['t']) select a
create table o as select * from t pivot (sum(a) for (s, k) in (('a', 1), ('b', 2)) group by b)
create table o as select count(*) as n from (pivot t on s in (select distinct s from u where s is not null) using sum(a) group by k)
create table o as select (select list({'c': c, 'd': d} order by id) from u)[1].d as dd
create table o as select array(select {'c': c, 'd': d} from u where u.k = t.k order by id)[1].c as cc from t
create table o as select id, (select {'m': max(c), 'n': min(k)} from u where u.k = t.k).m as m from t
create table o as select x.st.m as p, x.st.n as q from (select k, {'m': max(a), 'n': min(b)} as st from t group by k) x
create table o as select x.l[1].m as p, x.l[2].n as q from (select k, list({'m': a, 'n': s} order by b, id) as l from t group by k) x
create macro f(p) as (select max(c) from u where u.k = p); create table o as select id from t where f(a) > 2
create macro f(p) as (select max(c) from u where u.k = p); create table o as select k, count(*) as n from t group by k having max(f(a)) > 1
create macro f(p) as (select max(c) from u where u.k = p); create table o as select id, rank() over (order by f(a), id) as r from t
create macro f(p) as (select max(c) from u where u.k = p); create table o as select t.id, z.y from t join z on f(t.a) = z.y
create table o as select x.k, e.a, e.b from (select k, list({'a': a, 'b': b} order by id) as l from t group by k) x, unnest(x.l) u(e)
create table o as select id, sum(a) over w, avg(b) over w as y from t window w as (partition by k order by id)
create table o as select sum(a) over w1, rank() over (w1 order by a, id) from t window w1 as (partition by k)
create table o as select sum(a) over w2 from t window w1 as (partition by k), w2 as (w1 order by id rows between 1 preceding and current row)
create table o as select columns(['a', 'b']) as 'p_\0' from t
create table o as select columns(* exclude (s)) + 1 as 'p_\0' from t
create table o as select [x for x in l if x in [y + k for y in l]] as z, [i * x for x, i in l] as q from w
create table o as from t select columns(lambda c: c <= 'b') where columns(lambda c: c in ('a', 'b')) is not null
-- variables, and every clause once more
create table o as select k, s, grouping(s) + grouping(k) as lv, avg(b) as x from t group by grouping sets ((k), (k, s), ()) having grouping_id(k, s) < 3 and count(a) > 1
create table o as select id, sum(a) over (order by b, id rows between 2 preceding and 1 following exclude group) as x from t
create table o as select id, count(distinct s) over (partition by k) as x, string_agg(s, '' order by b, id) over (partition by k) as y from t
create table o as select id, fill(a) over (order by id) as x from t
create table o as select arg_min(id, b, 2) as x, arg_max(s, (k, id)) as y, min(a, 2) as z, max(b, 3) as q from t
create table o as select k, count_if(a > b) as x, sum(case when s = 'a' then a end) as y, favg(b) as z, entropy(s) as e, kurtosis(a) as kk from t group by k
create table o as select id, [[x + y for x in l if x <> y] for y in l] as z from w
create table o as select unnest([{'p': a, 'q': {'u': b, 'v': s}}], recursive := true) from t
create table o as select w.id, q.e, q.n from w cross join lateral unnest(list_sort(w.l)) with ordinality as q(e, n) where q.n < w.k
create table o as select t.id, u.c, u.id as uid from t asof right join u on t.id <= u.id
create table o as select x.a, y.c from t x positional join u y where x.b > 1
create table o as select count(*) as n from t positional join u where t.k = u.k
create table o as select id from t where exists (select 1 from u where u.k = t.k having count(*) > t.a)
create table o as select k, sum(a) as x from t group by k having sum(b) > any (select c from u where u.id > t.k)
create table o as select id, sum(a) filter (where exists (select 1 from u where u.k = t.k)) over () as x from t
create table o as select id from t order by case when exists (select 1 from u where u.k = t.k) then 0 else 1 end, id limit 4
create table o as select id, case a when (select min(c) from u) then 'm' when b then 'b' else s end as x from t
create table o as with recursive r(k, n) using key (k) as (select k, 0 from t where a > 1 and k is not null union select u.c, r.n + 1 from u join r on u.k = r.k where r.n < 3 and u.c is not null) select k, n from r
create table o as with x as materialized (select k, max(a) as m from t group by k), y as not materialized (select u.id, m from u join x using (k)) select id, m from y where m > (select avg(m) from x)
merge into z using t on z.x = t.id and t.k > 0 when matched and t.a > 3 then delete when matched and t.a > 1 then update set s = t.s, y = t.b when matched then update set y = z.y + 1 when not matched and t.b > 2 then insert (x, y, s) values (t.id, t.a + 1, t.s) when not matched by source and z.y > 3 then delete
insert into z by name (select id + 30 as x, s, a as y from t where b = (select max(b) from t))
update z set y = case when y > (select avg(c) from u) then 0 else y + 1 end where s in (select s from t where a > 2)
delete from z using (select id, count(*) over (partition by k) as n from t) q where q.id = z.x and q.n > 1
create macro m(a, b) as a + b * (select count(*) from u where u.k = a); create table o as select id, m(t.b, t.a) as x from t
create macro tm(p, q) as table select id, k from t where a between p and q; create table o as select z.s, v.k from z, tm(1, 3) v where v.id = z.x
create table o (i integer, g varchar as (upper(n)), n varchar, t2 integer as (i * 2)); insert into o (n, i) select s, a + b from t
create table o as from (from t where a > 1) q join u using (k) select q.id, u.c
create table o as pivot p on y in (2020, 2021) using sum(v) as s, avg(n) as m group by g order by g limit 2
create table o as unpivot (select g, v::bigint as v, n::bigint as n from p) on columns(* exclude (g)) into name nm value val
create table o as select column_name, min, max, count from (summarize select a, b from t)
create table o as select columns(lambda c: c like 'a%' or c = 'k') + b as z from t
create table o as select sum(columns('^(a|b)$')) as 'tot_\0', count(*) as n from t group by k
create table o as select s.upper().concat(k::varchar).length() as x, a.greatest(b) as y from t
create table o as select id, a is distinct from b as x, s is not distinct from (select max(s) from u) as y from t where k is distinct from 1
create table o as select id, a, s from t union all by name select id, s, c as a from u
create table o as (select k from t) except (select k from u where c > 2) order by 1 limit 2
create table o as select id, s from t order by all limit (select max(y) from z)
create table o as select id, k from t tablesample reservoir(100 rows) where a > 1
create table o as select v.w, count(*) as n, max(t.a) as m from (values ('a'), ('b'), (null)) v(w) left join t on t.s is not distinct from v.w group by v.w
create table o as select id, a from query('select id, a, b from t') where b > 1
set variable mx = (select max(a) from t); create table o as select id from u where c < getvariable('mx')
set variable nm = 't'; create table o as select a from query_table(getvariable('nm')) where b > 1
set variable lst = (select list(k) from t where a > 1); create table o as select id, c from u where list_contains(getvariable('lst'), k)
create view v1 as select k, s, a from t where b > 1; create view v2 as select k, max(a) as m from v1 group by k; create view v3 as select u.id, v2.m from u left join v2 using (k); create table o as select * from v3 where m > 1
create temp view v1 as from t select a, b, k; create table o as select a + b as ab from v1 where k > 1
create type mood as enum ('a', 'b', 'ab', 'c'); create table o as select s::mood as m, enum_range(null::mood)[k + 1] as e from t where k < 4
create table o as select g.i, t.a from range(1, 6) g(i) left join t on t.id = g.i
create table o as select t.id, unnest(range(t.k)) as i from t
create table o as select id, (select sum(x) from unnest(l) q(x) where x > w.k) as y from w
create table o as select id, list_any_value(l) as x, list_has_any(l, [k]) as y, array_length(l) as z, l || [k] as q, list_grade_up(l) as g from w
create table o as select w.r.p + w.k as x from w where w.r.q = 'a' or w.m['a'] > 1
create table o as select id, x.s from (select id, t as st, s from t) x where x.st.b > 1
create table o as select case when a > b then (select max(c) from u where u.k = t.k) when k > 2 then b end as x from t
create table o as select id, sum(a) over w + count(*) over (partition by b) as x from t window w as (order by k range between 1 preceding and 1 following)
create table o as select k, list(distinct s order by s) as x, array_agg(a order by b desc, id)[1] as y, first(s order by id desc) as z, last(a order by b, id) as q from t group by k
create table o as select distinct on (k, s) id, a from t order by k, s, b desc, id
create table o as select t.* from t where t.id in (select u.id from u where u.c = (select max(c) from u u2 where u2.k = u.k))
create table o as select id, a, (select count(*) from t q where q.k = t.k and q.id < t.id) as before from t
create table x as select id, a, s from t; alter table x drop column s; alter table x alter column a type varchar using a::varchar || id::varchar; create table o as select * from x
create table o as select id, a from t where id in (from u select id where c > 1)
create table o as select id, list_transform(l, lambda x: {'x': x, 'k': k})[1].k as y from w
create table o as select equi_width_bins(min(a), max(a) + 1, 2, true) as x, histogram_exact(b, [1, 2]) as y from t
insert into z (x, y) select id, a from t on conflict (x) do update set y = excluded.y + z.y, s = z.s || 'q' where z.y is not null
create table o as select struct_extract({'p': a, 'q': b}, 'p') as x from t
create table o as select struct_extract({'p': a, 'q': b}, 'q') + k as x, {'p': a, 'q': b}['q'] as y, ({'p': a, 'q': b}).p as z from t
create table o as select struct_extract(struct_pack(p := a, q := s), 'q') as x from t
-- numbers that count columns, order that pairs rows, aliases inside of subqueries
create table o as select x2.v from (from p order by g, y, v, n) as x2 positional join (select a, id from t order by id) as x3 where v > a
create table o as select * from (select k, a, b from t union all select id, c, k from u order by 3, 1, 2 limit 4)
create table o as select a from (select * from t order by 4, 1 limit 4)
create table o as select a from (select *, a + b as ab from t order by 6, 1 limit 4)
create table o as select a from (select id, t.* from t order by 5, 1 limit 4)
create table o as select columns('k|s'), count(*) as n from t group by 1, 2
create table o as select n from (select columns('k|s'), count(*) as n from t group by 1, 2)
create table o as select id, (select v from (select c as v, id from u where u.k = t.k union all select y, x from z where z.s = t.s order by 2, 1 limit 1)) as x from t
create table o as select a + 1 as x, x + b as y, (select max(c) from u where u.k = x) as z from t
create table o as select id, a as q, (select count(*) from u where c > q) as n from t
create table o as select id, a + b as q, exists (select 1 from u where u.c > q) as n, (select max(y) from z where z.x in (select c from u where c > q)) as e from t
create table o as select id, a + b as q from t where exists (select 1 from u where u.c = q and u.k = t.k)
create table o as select id, a + b as c, (select max(c) from u) as e from t
create table o as select id, a + b as q from t order by (select count(*) from u where c > q), id limit 3
create table o as select #1, #3 as x from t where #4 > 1
create table o as select id, a from t order by #2, #1 limit 3
create table o as select #2 as k, sum(#3) as x from t group by #2
create table o as select #1 as p, #6 as q, #8 + #3 as r from t join u on t.id = u.id
create table o as select #1 from (select a + b, k from t) where #2 > 1
create table o as select k, #4 from (select * from t where #3 > 1) order by #1, #2 limit 4
create table o as select #2, count(*) as n from t group by 1 order by #2 desc, #1 limit 2
-- rows, documents and elements as structs
create table o as select x.y.a as v from (select t as y from t) x
create table o as select y.a as v, y.s as w from (select t as y, id from t where k > 1) x
create table o as with c as (select t as y from t) select c.y.a + y.b as v from c where y.k > 1
create table o as select y.* from (select t as y from t where b > 1) x
create table o as select q.a as v from (select arg_max(t, id) as q from t) x
create table o as select q[1].a as v from (select list(t order by id) as q from t) x
create table o as select r.c from (select t.id, u as r from t join u using (id)) x
create table o as select r.z from (select q as r from (select id, a + b as z from t) q)
create table o as select json_extract_string(j, '$.a') as x, j->'b' as y from (select to_json({'a': a, 'b': b}) as j from t)
create table o as select (j->>'$.x.y')::int as v from (select json_object('x', json_object('y', k), 'z', s) as j from t)
create table o as select (json_object('a', a, 'b', b)->>'b')::int as v, to_json(t)->>'s' as w from t
create table o as select count(*) as n from (select json_object('a', a, 'b', b) as j from t) where (j->>'a')::int > 2
create table o as select j->>'a' as v from (select k, to_json(list({'a': a} order by id)[1]) as j from t group by k)
create table o as select j->>'$.l[0]' as v from (select json_object('l', l, 'k', k) as j from w)
create table o as select sum((j->>'a')::int) as v from (select to_json({'a': a, 'b': b}) as j from t) group by j->>'b'
create table o as select e.p, e.q from (select unnest([{'p': a, 'q': b}, {'p': k, 'q': id}]) as e from t)
create table o as select p, q from (select unnest([{'p': a, 'q': b}, {'p': k, 'q': id}], recursive := true) from t)
create table o as select e.p as v from t, unnest([{'p': a, 'q': b}]) x(e) where e.q > 1
create table o as select x.e.p as v, e as w from t, unnest([{'p': a, 'q': b}, {'p': k, 'q': 1}]) x(e)
create table o as select l[1].p as v from (select [{'p': a, 'q': b}] as l from t)
create table o as select w.id, e.p, e.q from w, unnest([w.r, {'p': w.k, 'q': 'n'}]) x(e)
create table o as select first(s order by a desc, id), any_value(k order by id), arg_min(b, id), max(a, 2), count(distinct (a, b)), list(a order by b, id) from t
create table o as select e.p as v, n from (select unnest([{'p': a, 'q': b}, {'p': k, 'q': id}]) as e, id as n from t) where e.q > 2
create type pair as struct(p integer, q integer); create table o as select row(a, b)::pair as pr, (row(k, a)::pair).q as v from t
create type pair as struct(p integer, q varchar); create table o as select x.pr.q as v from (select row(a, s)::pair as pr from t) x
create type pair as struct(p integer, q varchar); create table o as select cast({'p': a, 'q': s} as pair).p as v from t
-- further combinations
create table o as select r.r.p as x, r.id from (select id, r from w) r
create table o as select [id for id in l if id > 1] as x, [k + id for id in l] as y from w
create table o as select list_filter(l, lambda id, k: id > k) as x from w
create table o as select * from (select k, s, a from t) q1 full join (select k, s, c from u) q2 using (k, s) full join (select s, y from z) q3 using (s)
create table o as select distinct on (k) k, c from t full join u using (k) order by k, c, a, t.id, u.id
create table o as select t.id, v.n, v.w from t, (values (t.a, 'a'), (t.b, 'b'), (t.k, s)) v(n, w) where v.n > 1
create table o as select t.id, q3.r from t, lateral (select a + b as p) q1, lateral (select p * k as q) q2, lateral (select q + max(c) as r from u where u.k < q) q3
create table o as select w.id, e from w left join unnest(w.l) q(e) on e > w.k
create table o as select q: a + 1, w: q * 2 from x: t where x.b > 1
create table o as select greatest(*columns(* exclude (id, s))) as g, least(unpack(columns(['a', 'b']))) as l from t
create table o as select * from t order by columns('a|b'), id limit 4
create table o as select k, (select count(*) from u where u.k = t.k) as n, sum(a) as x from t group by rollup (k)
create table o as select id, max(a) over (order by id range between k preceding and b following) as x from t where k is not null and b is not null
create table o as select id, row_number() over w as rn from t window w as (partition by k order by (select max(c) from u where u.id = t.id), id) qualify rn = 1
create table o as with recursive r(k, tot) using key (k) as (select k, sum(a) from t where k is not null group by k union select r.k, r.tot + z.y from r join z on z.x = r.tot where z.y > 0) select tot from r where k > 0
create table o as with recursive r(n, m) as (select a, b from t where id < 4 union all (select n + 1, max(m) over () from r where n < 3 order by m limit 2)) select n, m from r
create macro wsum(x, p) as sum(x) over (partition by p); create table o as select id, wsum(a, k) as x from t qualify wsum(b, s) > 1
create table o as unpivot (select s, a, b, k from t) on (a, b) as ab, (k, a) as ka into name nm value p, q
merge into z using (values (1, (select max(a) from t)), (40, (select min(c) from u))) q(i, n) on z.x = i when matched then update set y = n when not matched then insert (x, y) values (i, n)
create sequence sq; create table o as select nextval('sq') > 0 as n, a from t where b > 1
create table o as select id from t where row(a, b) in (select (c, k) from u)
create table o as select x.* from (select a * 2, b || s, (select max(c) from u), a > b, [a, k], {'p': a} from t) x
create table o as select c from (select * from t natural join (select id, c from u) order by 5, 1 limit 3)
create table o as select a from (select * from t join u using (id) order by 8, 1 limit 3)
create table o as select v.x, v.y from (select unnest(list(a order by id)) as x, unnest(list(b order by id desc)) as y from t) v
create table o as select k, a, b, count(*) as n from t group by grouping sets ((k, a), (b)), grouping sets ((k), ()) having n > 0
create table o as select id, (select max(v) from (select a as v union all select b union all select k)) as z from t
create table x (id integer, a integer, c integer as (a * 2), e integer as (c + id)); insert into x select id, a from t; create table o as select e from x
create macro top_n(n) as table (select k, a from t qualify row_number() over (partition by k order by a desc, id) <= n); create table o as select k, sum(a) as sa from top_n(2) group by k
create table o as select q."0" - q."1" as d from (pivot (select s, k % 2 as par, a from t) on par in (0, 1) using sum(a) group by s) q
create table o as from (from t select id, a, b) unpivot include nulls (v for nm in (a as 'first', b as 'second'))
create table o as select distinct on (k) id, rank() over (order by a, id) as r from t qualify r > 1 order by k, id
create table o (i integer, j integer as (i * 2)); insert into o select id from t; update o set i = t.a from t where t.id = o.i
create temp table st as select id, a, row_number() over (partition by k order by b desc, id) as rn from t; delete from st where rn > 1; insert into z select id + 40, a, 'st' from st
create table o as select id from t order by row_number() over (partition by k order by a, id), id limit 4
-- positions and keys of values that the query writes
create table o as select id, [a, b][1] as x, [a, b, k][-1] as y from t
create table o as select id, (a, b)[1] as x, row(a, b)[2] as y from t
create table o as select id, json_array(a, b)->0 as x, json_array(a, b)->>'$[1]' as y from t
create table o as select to_json({'p': a, 'q': {'r': b}})->'q'->>'r' as x, to_json([a, b])->1 as y from t
create table o as select l[2] as x from (select [a, b] as l, k from t) where k > 1
create table o as select st[1] as x from (select row(a, b) as st from t)
create table o as select ([a] || [b, k])[2] as x, list_concat([a], [b])[1] as y from t
create table o as select [{'p': a, 'q': b}, {'p': k, 'q': id}][2].p as x from t
create table o as select list_extract([a, b], 2) as x, array_extract({'p': a, 'q': b}, 'p') as y from t
create table o as select map {'p': a, 'q': b}['q'] as x, element_at(map {'p': a, 'q': b}, 'p') as y from t
create table o as select list_value(a, b, k)[2:3] as x, [a, b][1:1] as y from t
create table o as select struct_extract_at((a, b), 1) as x, struct_extract(row(a, b), 2) as y from t
-- lambdas over structs
create table o as select list_transform([{'p': a, 'q': b}], lambda e: e.p) as x from t
create table o as select list_filter([{'p': a, 'q': b}], lambda e: e.p > 1).list_transform(lambda e: e.q) as x from t
create table o as select [e.q for e in [{'p': a, 'q': b}, {'p': k, 'q': id}]] as x from t
create table o as select list_transform(x.l, lambda e: e.q + k) as y from (select [{'p': a, 'q': b}] as l, k from t) x
create table o as select [e.p for e in list_value(r)] as x from w
create table o as select list_sort([{'p': a, 'q': b}, {'p': k, 'q': id}])[1].q as x from t
create table o as select list_reduce([a, b], lambda x, y: x + y, k) as x from t
create table o as select k, list_transform(list({'i': id, 's': s} order by id), lambda e: e.s) as x from t group by k
-- structs stored in tables of the script
create temp table x as select {'p': a, 'q': {'r': b, 's': s}} as st, k from t; create table o as select st.q.r as v from x where k > 1
create temp table x as select [a, b] as l from t; create table o as select l[1] as v from x
create temp table x as select to_json({'a': a, 'b': b}) as j from t; create table o as select j->>'a' as v from x
-- macros
create macro pick(tab) as table from query_table(tab); create table o as select a from pick('t') where b > 1
create macro pair(x, y) as table (select x as p, y as q, c from u where c > x); create table o as select t.id, v.* from t, pair(1, 2) v where v.c = t.a
create macro addk(a) as (select max(u.c + a) from u where u.k = a); create table o as select id, addk(t.b) as x from t
create macro f(n) as (select count(*) from u where u.c > n); create table o as select id as n, f(a) as x from t
create macro f(x) as list_transform([x, 1], lambda y: y + x); create table o as select f(a) as v from t
create macro f(x) as {'p': x, 'q': 1}; create table o as select f(a).p as v, f(b).q as w from t
create macro f(x, y := 1) as x * y + (select max(c) from u where k = x); create table o as select f(a, b) as v from t
create macro m(tab, n) as table select * from query_table(tab) limit n; create table o as select s from m('t', 100)
create macro nest(x) as x + 1; create macro nest2(x) as nest(x) * nest(2); create table o as select nest2(a) as v from t where nest(b) > 2
create macro lst(l) as [e + 1 for e in l]; create table o as select id, lst(l) as v from w
-- writing
create table x (i integer primary key, v integer unique, n integer); insert into x select id, id + 10, a from t; insert into x select id, id + 10, c from u on conflict (i) do update set n = excluded.n; create table o as select n from x
create table x (i integer primary key, v integer, n integer); insert into x select id, a, b from t; insert or replace into x select id, c, k from u; create table o as select i, v, n from x
create table x (i integer primary key, v integer, n integer); insert into x select id, a, b from t; insert or ignore into x select id, c, k from u; create table o as select i, v from x
merge into z using t on z.x = t.id when matched and t.a > 3 then delete when matched and z.y > 1 then update set y = t.b, s = z.s || t.s when not matched and t.k > 1 then insert (x, s) values (t.id, t.s) when not matched then do nothing
merge into z using (from u select id, c, s where k > 1) q on q.id = z.x when not matched by source then update set s = 'gone' when matched then update set y = q.c when not matched then insert (x, y) values (q.id, q.c)
with q as (select id, a, b from t where k > 1) update z set y = q.a from q where q.id = z.x and q.b > 0
update z set y = t.a + u.c from t join u using (id) where t.id = z.x
update z set (y, s) = (t.a, t.s) from t where t.id = z.x
with d as (select id from t where a > 2) delete from z where x in (from d) and y > 0
create table o (i integer default 4, g integer as (i + 1), s varchar); insert into o by name select s, id as i from t where a > 1
create table o (i integer, g integer as (case when i > 2 then i else 0 end) virtual); insert into o select a from t; update o set i = (select max(c) from u) where i = 1
-- windows, grouping, qualify, sample, asof
create table o as select id, sum(a) filter (where b > 1) over (partition by k order by id rows between 2 preceding and current row exclude current row) as x from t
create table o as select id, string_agg(s, ',' order by a, id) over (partition by k order by b rows between unbounded preceding and unbounded following exclude group) as x from t
create table o as select k as g, s as h, sum(a) as x from t group by grouping sets ((g, h), (g), ())
create table o as select a % 2 as par, b % 2 as q, count(*) as n, grouping(par) as gp from t group by rollup (par, q)
create table o as select id, lead(a ignore nulls) over (order by id) as x, nth_value(b, 2) over (partition by k order by id rows between current row and unbounded following) as y from t
create table o as select id, fill(a order by id) over (order by id) as x from t
create table o as select id, a from t qualify row_number() over (partition by k order by (select max(c) from u where u.id = t.id) nulls last, id) = 1 and sum(b) over () > 3
create table o as select k, max(a) as m from t group by k qualify max(a) > avg(max(b)) over ()
create table o as select t.id, u.c, u.d from t asof join u on t.s = u.s and t.id > u.id where u.k < t.b
create table o as select t.id, t.a, x.c from t asof left join (select id + 1 as id, c from u) x on t.id >= x.id
create table o as select count(*) as n, sum(a) as x from (select a from t using sample 100 rows) where a > 1
-- correlated subqueries and laterals
create table o as select id from t where a in (select unnest(l) from w where w.id = t.id)
create table o as select id, (select max(v) from (values (t.a), (t.b), ((select min(c) from u where u.k = t.k))) q(v)) as x from t
create table o as select t.id, x.v, x.w from t, lateral (select c as v, sum(c) over (order by id) as w from u where u.k = t.k qualify row_number() over (order by c desc, id) = 1) x
create table o as select t.id, q.n from t left join lateral (with c as (select c from u where u.k = t.k) select count(*) as n from c where c.c > t.a) q on q.n > 0
create table o as select id, list_transform(l, lambda x: x + k + id).list_filter(lambda y, i: i > k) as y from w
create table o as select case when (select count(*) from u where u.k = t.k) > 1 then {'p': a, 'q': b} else {'p': k, 'q': id} end.p as x from t
create table o as select id, a between (select min(c) from u where u.k = t.k) and (select max(y) from z where z.s = t.s) as x from t
create table o as select id, coalesce(struct_extract((select {'p': max(c), 'q': min(k)} from u where u.k = t.k), 'p'), 0) as x from t
-- recursion, pivot, unpivot, views over views, names
create table o as with recursive r as (select id, k, [id] as path from t where a > 3 union all select t.id, t.k, list_append(r.path, t.id) from t join r on t.k = r.id where not list_contains(r.path, t.id)) select path[1] as root, len(path) as n from r
create table o as with recursive r(i, st) as (select id, {'p': a, 'n': 0} from t union all select i, {'p': st.p + 1, 'n': st.n + 1} from r where st.n < 2) select i, st.p as p from r
create table o as select * from (pivot (from p select g, y, v) on y in (2020, 2021) using sum(v) as s, max(v) as m group by g) where "2020_s" > "2021_m"
create table o as pivot p on g in ('a', 'b'), y in (2020, 2021) using sum(v)
create table o as select nm, sum(val) as x from (from t unpivot (val for nm in (a, b, k))) group by nm having count(*) > 1
create view v1 as select k, list(a order by id) as la from t group by k; create view v2 as select k, la[1] as f, la[2] as n from v1; create table o as select f, n from v2 where k > 0
create view v1 as select * exclude (b) from t; create view v2 as select *, a + k as ak from v1; create table o as select * exclude (s) from v2
create table o as select a::double, -a, a || s, a is null, not (a > b), s like 'a%', a in (1, 2), a between 1 and 2, case when a > 1 then b end, coalesce(a, b), count(*) over () from t
create table o as select "a" + "b", cast(a as varchar), s || 'it''s', date '2024-01-01', interval 1 day, a::decimal(10, 2), [a, b], {'p': a}, l.x from (select a, b, s, {'x': k} as l from t)
create table o as select sum(a) filter (where b > 1), count(distinct s), max(a order by b), s[1:2], (a, b), s.upper(), exists (select 1), a % 2, a // 2, a ** 2, list(a order by id desc) from t group by all
create table x (i integer primary key, v integer, n varchar); insert into x select id, a, s from t; insert or ignore into x by name select s as n, id as i from u; create table o as select i, n from x
-- macros that are given the names of tables
create macro cnt(tab) as (select count(*) from query_table(tab)); create table o as select id, cnt('u') as n from t
create macro mx(tab := 'u') as table select max(c) as m, k from query_table(tab) group by k; create table o as select m from mx() where k > 1
create macro mx(tab := 'u') as table select * from query_table(tab); create table o as select a.a, b.c from mx('t') a join mx(tab := 'u') b using (id)
create macro col(nm, tab) as table from query('select ' || nm || ' as v, id from ' || tab); create table o as select x.v, y.v as w from col('a', 't') x join col('c', 'u') y using (id)
create macro pick(tab) as table from query_table(tab); create macro two(tab) as table select * from pick('t') union all by name select * from query_table(tab); create table o as select a, c from two('u')
create macro pick(tab, n) as table select *, n as nn from query_table(tab) where k > n; create table o as select a, nn from pick('t', 1)
create macro pick(tab) as table from query_table(tab); create macro two(x) as table select a from pick(x) where b > 1; create table o as select a from two('t')
create macro cnt(tab) as (select max(k) from query_table(tab)); create macro two(x, y) as cnt(x) + y; create table o as select two('t', c) as v from u
-- elements, lambdas and structs that are handed on
create table o as select x.l[1] as p, l[2] as q, l[-1] as r from (select [a, b, k] as l from t) x
create table o as with c as (select [max(a), min(b)] as l, k from t group by k) select l[2] as v from c
create table o as select [[a, b], [k, id]][2][1] as x from t
create table o as select {'l': [a, b], 'm': k}.l[2] as x, {'l': [a, b]}['l'][1] as y from t
create table o as select x[1].p as v from (select [{'p': a, 'q': b}, {'p': k, 'q': id}] as x from t)
create table o as select [a, b][k + 1] as x from t where k < 2
create table o as select s[1] as x, (s || s)[2] as y, ('x' || s)[1:1] as z from t
create table o as select json_array(a, json_object('p', b, 'q', k))->1->>'q' as x from t
create table o as select j->1 as x from (select json_array(a, b) as j from t)
create table o as select [(select max(c) from u), a][1] as x from t
create table o as select (a, b)[1] as x, (row(a, s))[2] as y from t where [k, a][1] > 1
create table o as select unnest([a, b]) as e, [a, b] as l from t
create table o as select x[1] as v from (select l || [k] as x from w)
create table o as select l[1][2] as v from (select [[a, b], [k]] as l from t)
create table o as select case when k > 1 then [a, b] else [b, k] end[1] as v from t
create table o as select sum([a, b][1]) as v, max([a, b][2]) over () as w from t group by a, b
create table o as select list_transform([{'p': a, 'q': {'r': b, 's': k}}], lambda e: e.q.r) as x from t
create table o as select list_transform([{'p': a, 'q': b}], lambda e: e) as x from t
create table o as select list_transform([{'p': a, 'q': b}], lambda e, i: e.p + i + k) as x from t
create table o as select [e.p for e in [{'p': a, 'q': b}, {'p': k, 'q': id}] if e.q > 1] as x from t
create table o as select [e for e in [{'p': a, 'q': b}] if e.q > 1] as x from t
create table o as select list_transform(l, lambda e: e.i) as x from (select k, list({'i': id, 'a': a} order by b, id) as l from t group by k)
create table o as select list_transform([t], lambda e: e.a) as x from t
create table o as select list_transform([r, {'p': k, 'q': 'z'}], lambda e: e.p) as x from w
create table o as select list_transform([{'p': a, 'q': b}], lambda e: e['q']) as x from t
create table o as select list_transform(l, lambda e: e + 1) as x from w
create table o as select list_transform(case when k > 1 then [{'p': a, 'q': b}] else [{'p': b, 'q': a}] end, lambda e: e.p) as x from t
create temp table x as select t as whole, k from t; create table o as select x.whole.a as v from x where x.k > 1
create temp table x as select k, {'p': max(a), 'q': min(b)} as st from t group by k; create table o as select u.id, x.st.q as v from u join x using (k)
create temp table x as select {'p': a, 'q': b} as st from t; create temp table y as select st.p as pp, st from x; create table o as select pp, st.q as v from y
create table o as with a1 as (select {'p': a, 'q': b} as st, k from t), a2 as (select st, k from a1 where k > 1) select st.p as v from a2
create table o as with a1 as (select {'p': a, 'q': b} as st, k from t), a2 as (select * from a1 where k > 1) select a2.st.p as v from a2
create table o as select x.st2.q as v from (select st as st2 from (select {'p': a, 'q': b} as st from t where k > 0) y) x
create table o as select l[1] as v from (select l, k from (select [a, b] as l, k from t) where k > 1)
create table o as select v.a from (select x.* from (select t as v, k from t) x where k > 1)
create table o as select max(st).p as v from (select {'p': a, 'q': b} as st from t)
create table o as select st.p as v, count(*) as n from (select {'p': a, 'q': b} as st from t) group by st.p having max(st.q) > 1
-- a second round of further combinations
create macro cap(x) as (select sum(c) from u where u.k = x and u.id > x); create table o as select k as x, cap(a) as y from t
create macro inner_t(k) as table (select a, s from t where t.b > k); create table o as select u.c, v.s from u, inner_t(2) v where u.c = v.a
create macro wrap(x) as [x, x + 1]; create table o as select id, unnest(wrap(a)) as e from t
create macro agg(x) as sum(x) / count(*); create table o as select k, agg(a) as y from t group by k having agg(b) > 1
create table o as select t.id, v.x from t, (values (t.a), ((select max(c) from u where u.k = t.k))) v(x)
create table o as with recursive r(n, path) as (select id, [s] from t where a > 3 union all select t.id, list_append(r.path, t.s) from t, r where t.k = r.n and len(r.path) < 3) select path from r
create table o as with recursive r as (select id, k, a from t where b = 0 union select t.id, t.k, r.a + t.a from t join r on t.k = r.id where r.a < 5) select max(a) over (partition by k) as m, id from r
create table o as select id, sum(a) over w as x, rank() over (w order by b, id) as y from t window w as (partition by (select max(c) from u where u.k = t.k))
create table o as select id, count(*) filter (where a > (select avg(c) from u)) over (partition by k) as x from t
create table o as select id, max(a) over (order by b range between interval 1 day preceding and current row) as x from (select id, a, date '2024-01-01' + b as b from t where b is not null)
create table o as select coalesce(k, -1) as kk, s as ss, sum(a) as x, grouping(ss) as g from t group by cube (kk, ss) having g = 0 or sum(b) > 3
create table o as select k, count(*) as n from t group by all having max(a) > 1 order by n desc, k limit 2
create table o as select distinct on (k % 2) k % 2 as m, a from t order by k % 2, b desc, id
create table o as from t select * exclude (id, s) replace (a * 2 as a) where columns(* exclude (s)) is not null
create table o as select t.* like '%k%' from t
create table o as select * from t semi join u on t.id = u.id and u.c > t.a
create table o as select * from (select a, k from t) anti join (select c as a, k from u) using (a, k)
create table o as select x.a, y.c from (select a, row_number() over (order by id) as rn from t) x positional join (select c from u order by id) y
create table o as unpivot (select id, a, b, k from t where s <> 'a') on columns('a|b') into name nm value vv
create table o as pivot (select s, k % 2 as par, a, b from t) on par in (0, 1) using sum(a) filter (where b > 1) as f, count(*) as n group by s
create table o as pivot t on s in ('a', 'b') using first(a order by id) group by k
create table o as select * from t pivot (max(a) as ma, min(b) as mb for s in ('a', 'b') group by k)
update z set y = (select max(v) from (select c as v from u where u.id = z.x union all select a from t where t.id = z.x and t.b > z.y)), s = coalesce((select s from t where t.id = z.x), s)
update z set y = q.n from (select s, count(*) as n from t group by s having max(a) > 1) q where q.s = z.s and z.x > (select min(id) from u)
with a1 as (select id, a from t where b > 1), a2 as (select a1.id, u.c from a1 join u using (id)) insert into z select id + 20, c, 'n' from a2 where c > (select avg(a) from a1)
delete from z where (x, y) in (select id, a from t where b > 1) or s = any (select s from u where c > 3)
create table x as select * from z; insert into x by name select s, a as y, id as x from t; update x set y = u.c from u where u.id = x.x; create table o as select s, max(y) as m from x group by s
create temp table x as select id, a, b from t; alter table x add column c integer; update x set c = u.c from u where u.id = x.id; create table o as select a + c as v from x where b > 0
create temp table x as select id, a, b from t; alter table x add column e integer default 5; create table o as select e + a as v from x
create view v1 as select id, a, row_number() over (partition by k order by b, id) as rn from t; create view v2 as select * exclude (rn) from v1 where rn = 1; create view v3 as select v2.*, u.c from v2 left join u using (id); create table o as select a, c from v3
create table o as select m['a'] + m['b'] as v, map_values(m) as vs, map_contains(m, 'a') as c from w where cardinality(m) > 0
create table o as select map_from_entries(list((s, a))) as m from (select s, max(a) as a from t where s is not null group by s)
create table o as select list_sort(list(a order by b, id))[1] as v, list_aggregate(list(b), 'max') as w from t group by k
create table o as select id, list_zip(l, list_transform(l, lambda x: x + k))[1] as v from w
create table o as select id, r.p + coalesce(r.q.length(), 0) as v from w where r.q is not null or m['a'] > k
create table o as select struct_extract(x, 'p') as p from (select unnest(list(r order by id)) as x from w)
create table o as select e.k2, e.v2 from (select unnest(map_entries(m), recursive := true) from w) e(k2, v2)
create table o as select t.id, x.e from t left join (select id, unnest(l) as e from w where k > 1) x on x.id = t.id and x.e > t.b
create table o as select id, (select list(x order by x) from (select unnest(l) as x union all select c from u where u.k = w.k)) as v from w
create table o as select id, a, lag(a, k) over (order by id) as x from t where k is not null
create table o as select id, exists (from u where c > a and u.k in (select y from z where z.s = t.s)) as v from t
create table o as select id from t where a = (select c from u where u.id = t.id) is not true
create table o as select id, [v for v in (select list(c order by id) from u where u.k = t.k) if v > t.a] as x from t
create table o as select id, list_reduce(list_prepend(k, l), lambda acc, x: acc + x) as v from w
create table o as select k, s, sum(a) as v from t group by grouping sets ((k), (s)) qualify row_number() over (order by sum(a) desc nulls last, k, s) <= 3
create table o as select asof_t.id, q.c from t asof_t asof join (select k, id, c from u where s <> 'b') q on asof_t.k = q.k and asof_t.id >= q.id and asof_t.a > 0
create table o as select t1.id, t2.id as j from t t1 left join t t2 on t1.k = t2.a and t2.b > (select min(c) from u where u.s = t1.s)
create table o as (from t select a, b where k > 1) union all by name (from u select c as a, k as zz) order by all limit 6
create table o as select s, string_agg(distinct k::varchar, ',' order by k::varchar) filter (where a > b) as v from t group by s
create table o as select * from (select id, a from t order by b desc, id limit 4) x join lateral (select max(c) as m from u where u.id <= x.id) y on y.m > x.a
create table o as select a::text, cast(a as real), try_cast(a as double precision), (1 + a::int8)::varchar(9), a ** 2, a ^ b, a is not true, s like 'a' escape '!', [a, b][2], s ^@ 'a' from t
create table o as select map {'k': a}, trim(both 'a' from s), [x for x in [a, b] if x > k], upper(s).lower(), {'x y': a}, to_json(a) ->> '$', d2 + interval 1 day, d2 - interval '2 days' from (select *, date '2024-01-31' as d2 from t)
create table o as select id, sum(a) over (order by b asc nulls last, id range between unbounded preceding and unbounded following), list(a order by b desc nulls first, id) over (partition by k) from t
create table o as select st.p as v from (select {'p': a, 'q': b} as st from t union all select {'p': c, 'q': k} from u)
create table o as select st.p as v from (select {'p': a, 'q': b} as st from t union select {'p': c, 'q': k} from u)
create table o as select st.p as v from (select {'p': a, 'q': b} as st from t except select {'p': c, 'q': k} from u)
create table o as with recursive r(n, st) as (select 0, {'p': a, 'q': b, 'r': k} from t union all select n + 1, {'p': st.q, 'q': st.r, 'r': st.p} from r where n < 2) select n, st.p as v from r
create table o as select st.p as v, count(*) as n from (select {'p': a, 'q': b} as st from t union all select {'p': c, 'q': k} from u union all select {'p': y, 'q': x} from z) group by all
create table o as select l[2] as v from (select [a, b] as l from t union all select [c, k] from u)
create table o as select id, map {'a': a}[s], map {'a': a, 'b': b}['b'] from t where s in ('a', 'b')
