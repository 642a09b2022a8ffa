create or replace view mart.v_open_orders as
select o.order_id, o.ordered_at, d.email, sum(l.quantity * l.unit_price) as open_value
from stage.orders o
join stage.order_lines l on l.order_id = o.order_id
left join mart.dim_customer d on d.customer_id = o.customer_id and d.is_current
where o.status in ('NEW', 'PAID')
group by o.order_id, o.ordered_at, d.email;

create or replace table mart.fact_sales as
with lines as (
  select l.order_id, l.line_no, l.sku, l.quantity, l.unit_price * l.quantity - l.discount as net
  from stage.order_lines l
),
orders as (
  select o.order_id, o.customer_id, o.ordered_at::date as order_date, o.currency
  from stage.orders o
  where o.status <> 'CANCELLED'
)
select ord.order_date, ord.customer_id, p.product_id, ord.currency,
       sum(lin.quantity) as units, sum(lin.net) as net_amount, count(distinct ord.order_id) as orders
from orders ord
join lines lin using (order_id)
join stage.products p on p.sku = lin.sku
group by all;

create or replace table mart.customer_rfm as
with base as (
  select customer_id, max(order_date) as last_order, count(*) as frequency, sum(net_amount) as monetary
  from mart.fact_sales
  group by customer_id
),
scored as (
  select b.*,
         ntile(5) over (order by last_order) as r_score,
         ntile(5) over (order by frequency) as f_score,
         ntile(5) over (order by monetary) as m_score
  from base b
)
select customer_id, r_score, f_score, m_score, r_score + f_score + m_score as total,
       case when total >= 13 then 'champion' when total >= 9 then 'loyal' when r_score <= 2 then 'at risk' else 'regular' end as segment
from scored;

create or replace table mart.monthly_by_channel as
select *
from (select date_trunc('month', at) as month, channel, amount from mart.payments)
pivot (sum(amount) for channel in ('web', 'app', 'store')) as p (month, web, app, store);

create or replace view mart.v_sessions as
select user_id, session_no, min(at) as started_at, max(at) as ended_at, count(*) as events,
       array_agg(distinct page) within group (order by page) as pages
from (
  select user_id, at, page,
         sum(iff(datediff('minute', lag(at) over (partition by user_id order by at), at) > 30, 1, 0))
           over (partition by user_id order by at rows between unbounded preceding and current row) as session_no
  from mart.web_events
)
group by user_id, session_no;

create or replace table mart.stock_days as
select s.product_id, s.warehouse_id, c.calendar_date,
       last_value(s.on_hand ignore nulls) over (partition by s.product_id, s.warehouse_id order by c.calendar_date) as on_hand
from ref.calendar c
left join stage.stock_snapshots s on s.snapshot_date = c.calendar_date
where c.calendar_date between dateadd('day', -90, current_date()) and current_date();
