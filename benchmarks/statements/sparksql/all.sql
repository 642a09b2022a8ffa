create or replace temporary view recent_orders as
select o.order_id, o.customer_id, o.amount, o.ordered_at
from bronze.orders o
where o.ordered_at >= date_sub(current_date(), 7);

insert overwrite table silver.orders
select order_id, customer_id, amount, to_date(ordered_at) as order_date
from recent_orders
distribute by order_date;

create table gold.customer_stats using parquet as
select customer_id, count(*) as orders, sum(amount) as total, avg(amount) as mean, collect_list(order_id) as ids,
       max_by(order_id, ordered_at) as last_order
from silver.orders_all
group by customer_id;

insert into gold.flat_events
select e.id, a.key, a.value
from bronze.events e
lateral view explode(e.attributes) a as key, value
where e.attributes is not null;

insert into gold.scores
select id, transform(readings, v -> v * factor) as scaled, aggregate(readings, 0D, (acc, v) -> acc + v) as total, exists(readings, v -> v > 100) as has_peak
from silver.measurements;

create table gold.course_by_year using delta as
select *
from (select year, course, earnings from silver.course_sales)
pivot (sum(earnings) for course in ('java' as java, 'sql' as sql, 'spark' as spark));

insert overwrite table gold.deduplicated partition (day)
select id, payload, day
from (select *, row_number() over (partition by id order by ingested_at desc) as rn from bronze.messages)
where rn = 1;

create or replace view gold.v_active as
select u.user_id, u.name, s.last_seen
from silver.users u
inner join (select user_id, max(ts) as last_seen from silver.activity group by user_id) s on s.user_id = u.user_id
where s.last_seen > current_timestamp() - interval 30 days;

insert into gold.missing_users
select a.user_id, min(a.ts) from silver.activity a left anti join silver.users u on u.user_id = a.user_id group by a.user_id;

create table gold.device_hours using parquet as
select device_id, date_trunc('hour', ts) as hour, avg(temperature) as avg_t, min(temperature) as min_t, max(temperature) as max_t,
       count_if(temperature > 80) as alarms, approx_percentile(temperature, 0.9) as p90
from bronze.telemetry
group by device_id, date_trunc('hour', ts);
