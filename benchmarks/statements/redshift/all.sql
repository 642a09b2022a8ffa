create temp table stage_orders (like mart.orders);

insert into stage_orders (order_id, customer_id, total, updated_at)
select order_id, customer_id, total::decimal(12, 2), updated_at
from spectrum.orders_parquet
where dt >= dateadd(day, -2, current_date);

delete from mart.orders using stage_orders where mart.orders.order_id = stage_orders.order_id;

insert into mart.orders select * from stage_orders;

create table mart.clickstream_daily distkey (user_id) sortkey (day) as
select user_id, trunc(ts) as day, count(*) as clicks, count(distinct page_id) as pages,
       clicks::float / nullif(pages, 0) as clicks_per_page
from spectrum.clickstream
group by user_id, trunc(ts);

update mart.dim_store
set region = s.region, manager = e.full_name, updated_at = getdate()
from stage.store s
left join hr.employee e on e.employee_id = s.manager_id
where mart.dim_store.store_id = s.store_id and (mart.dim_store.region <> s.region or mart.dim_store.manager <> e.full_name);

create view mart.v_customer_value as
select c.customer_id, c.segment, sum(o.total) as lifetime, avg(o.total) as average,
       datediff(day, max(o.updated_at), current_date) as days_since,
       listagg(distinct o.channel, '|') within group (order by o.channel) as channels
from mart.customers c
left join mart.orders o on o.customer_id = c.customer_id
group by c.customer_id, c.segment
with no schema binding;

insert into mart.fact_inventory (day, sku, warehouse_id, on_hand, on_hand_value)
select i.day, i.sku, i.warehouse_id, i.on_hand, i.on_hand * p.cost
from stage.inventory i
join (select sku, cost, row_number() over (partition by sku order by valid_from desc) as rn from stage.cost_prices) p
  on p.sku = i.sku and p.rn = 1;

create table mart.top_sellers as
select *
from (
  select s.store_id, l.sku, sum(l.quantity) as units, rank() over (partition by s.store_id order by sum(l.quantity) desc) as place
  from mart.sales s
  join mart.sale_lines l on l.sale_id = s.sale_id
  where s.sold_at >= dateadd(month, -1, getdate())
  group by s.store_id, l.sku
)
where place <= 20;

merge into mart.dim_product
using stage.product s on mart.dim_product.sku = s.sku
when matched then update set name = s.name, price = s.price
when not matched then insert (sku, name, price) values (s.sku, s.name, s.price);

insert into audit.row_counts (table_name, counted_at, n)
select 'orders', getdate(), count(*) from mart.orders
union all
select 'customers', getdate(), count(*) from mart.customers
union all
select 'sales', getdate(), count(*) from mart.sales;

create table mart.session_quality as
with ordered as (
  select visitor, ts, page, lag(ts) over (partition by visitor order by ts) as previous_ts
  from stage.hits
),
flagged as (
  select visitor, ts, page, case when previous_ts is null or datediff(minute, previous_ts, ts) > 30 then 1 else 0 end as is_start
  from ordered
),
numbered as (
  select visitor, ts, page, sum(is_start) over (partition by visitor order by ts rows unbounded preceding) as session_no
  from flagged
)
select visitor, session_no, min(ts) as started, max(ts) as ended, count(*) as hits,
       max(case when page like '/checkout%' then 1 else 0 end) as reached_checkout
from numbered
group by visitor, session_no;

select json_extract_path_text(e.payload, 'device', 'os') as os, e.country, approximate count(distinct e.user_id) as users
from stage.app_events e
where e.ts between '2024-01-01' and '2024-01-31' and e.country in (select code from ref.countries where active)
group by 1, 2
order by users desc
limit 50;

create table mart.ab_test as
select a.variant, a.users, b.buyers, round(100.0 * b.buyers / a.users, 2) as rate
from (select variant, count(distinct user_id) as users from stage.exposures group by variant) a
left join (
  select e.variant, count(distinct o.customer_id) as buyers
  from stage.exposures e
  join mart.orders o on o.customer_id = e.user_id and o.updated_at > e.seen_at
  group by e.variant
) b on b.variant = a.variant;
