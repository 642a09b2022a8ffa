create or replace table mart.daily_events
partition by day
cluster by name as
select date(at) as day, name, count(*) as events, count(distinct user_id) as users, approx_quantiles(duration_ms, 100)[offset(95)] as p95_ms
from stage.events
group by day, name;

create or replace view mart.v_funnel as
with steps as (
  select user_id,
         countif(name = 'view_item') as views,
         countif(name = 'add_to_cart') as carts,
         countif(name = 'purchase') as purchases,
         min(if(name = 'purchase', at, null)) as first_purchase
  from stage.events
  group by user_id
)
select date(first_purchase) as day, count(*) as users, sum(views) as views, sum(carts) as carts, sum(purchases) as purchases,
       safe_divide(sum(purchases), sum(carts)) as cart_rate
from steps
group by day;

create or replace table mart.user_sessions as
select user_id, session_id, struct(min(at) as started, max(at) as ended) as period,
       array_agg(struct(name, at) order by at limit 100) as path,
       (select count(1) from unnest(array_agg(name)) n where n = 'purchase') as purchases
from stage.events
group by user_id, session_id;

create or replace table mart.product_monthly as
select *
from (select sku, format_date('%Y%m', date(at)) as month, quantity from stage.order_lines join stage.orders using (order_id))
pivot (sum(quantity) as units for month in ('202401', '202402', '202403'));

create or replace table mart.experiment_results as
with exposures as (
  select e.user_id, p.value.string_value as variant, min(e.at) as exposed_at
  from raw.ga_events e, unnest(e.event_params) p
  where p.key = 'experiment_variant'
  group by 1, 2
),
conversions as (
  select user_id, min(at) as converted_at, sum(value) as revenue
  from stage.events
  where name = 'purchase'
  group by user_id
)
select x.variant, count(*) as users, countif(c.converted_at > x.exposed_at) as converted,
       avg(if(c.converted_at > x.exposed_at, c.revenue, 0)) as revenue_per_user,
       stddev_samp(c.revenue) as revenue_sd
from exposures x
left join conversions c using (user_id)
group by x.variant;

create or replace view mart.v_latest_stock as
select * except (rn)
from (
  select s.*, row_number() over (partition by s.sku, s.warehouse order by s.counted_at desc) as rn
  from stage.stock s
)
where rn = 1;

create or replace table mart.cohorts as
with firsts as (
  select user_id, date_trunc(min(date(at)), month) as cohort from stage.events group by user_id
),
activity as (
  select distinct user_id, date_trunc(date(at), month) as month from stage.events
)
select f.cohort, date_diff(a.month, f.cohort, month) as month_no, count(distinct a.user_id) as users,
       count(distinct a.user_id) / max(count(distinct a.user_id)) over (partition by f.cohort) as retention
from firsts f
join activity a on a.user_id = f.user_id
group by f.cohort, month_no;

create or replace table mart.calendar_gaps as
select day, w.warehouse
from unnest(generate_date_array('2024-01-01', current_date())) as day
cross join (select distinct warehouse from stage.stock) w
left join stage.stock s on s.warehouse = w.warehouse and date(s.counted_at) = day
where s.sku is null;
