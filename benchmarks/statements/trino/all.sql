create table hive.mart.daily with (format = 'PARQUET', partitioned_by = array['ds']) as
select country, approx_distinct(user_id) as users, sum(revenue) as revenue, ds
from hive.raw.events
where ds between '2024-05-01' and '2024-05-31'
group by country, ds;

insert into iceberg.silver.items (order_id, sku, qty, pos)
select o.id, i.sku, i.qty, t.n
from hive.raw.orders o
cross join unnest(o.items) with ordinality as t (i, n);

insert into iceberg.gold.scores
select user_id, reduce(readings, 0.0, (s, x) -> s + x, s -> s) as total, filter(readings, x -> x > 10) as peaks, element_at(attrs, 'tier') as tier
from iceberg.silver.measures;

merge into iceberg.gold.customers t
using iceberg.silver.customers s on t.id = s.id
when matched and s.deleted then delete
when matched then update set name = s.name, city = s.city
when not matched then insert (id, name, city) values (s.id, s.name, s.city);

create view hive.mart.v_last as
select id, max_by(status, ts) as status, max(ts) as ts, map_agg(kind, amount) as by_kind
from hive.raw.states
group by id;

insert into hive.mart.funnel
select ds, count_if(step = 1) as step1, count_if(step = 2) as step2, 1.0 * count_if(step = 2) / nullif(count_if(step = 1), 0) as rate
from (
  select ds, user_id, max(case when event = 'cart' then 2 when event = 'view' then 1 else 0 end) as step
  from hive.raw.events
  group by ds, user_id
)
group by ds;

select r.region, o.orderpriority, count(*) as n, grouping(r.region, o.orderpriority) as g
from tpch.sf1.orders o
join tpch.sf1.customer c on c.custkey = o.custkey
join tpch.sf1.nation n on n.nationkey = c.nationkey
join (select regionkey, name as region from tpch.sf1.region) r on r.regionkey = n.regionkey
where o.orderdate >= date '1996-01-01'
group by grouping sets ((r.region, o.orderpriority), (r.region), ())
order by n desc
limit 20;

create table iceberg.gold.gaps as
select device, ts, lead(ts) over (partition by device order by ts) as next_ts, date_diff('minute', ts, lead(ts) over (partition by device order by ts)) as minutes
from iceberg.silver.pings;

insert into iceberg.gold.latest
select device, value, ts
from (select device, value, ts, row_number() over (partition by device order by ts desc) as rn from iceberg.silver.readings)
where rn = 1;

delete from iceberg.silver.readings where ts < current_timestamp - interval '400' day;
