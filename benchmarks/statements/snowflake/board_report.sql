create or replace table report.board_monthly as
with calendar as (
  select calendar_date, date_trunc('month', calendar_date) as month, is_business_day
  from ref.calendar
  where calendar_date >= dateadd('month', -24, current_date())
),
orders as (
  select o.order_id, o.customer_id, o.ordered_at::date as order_date, o.currency, o.status, o.store_id
  from stage.orders o
  where o.status not in ('CANCELLED', 'TEST')
),
lines as (
  select l.order_id, l.sku, l.quantity, l.unit_price, l.discount,
         l.quantity * l.unit_price as gross,
         l.quantity * l.unit_price - coalesce(l.discount, 0) as net
  from stage.order_lines l
),
rates as (
  select r.currency, r.valid_on, r.rate,
         lead(r.valid_on) over (partition by r.currency order by r.valid_on) as next_valid_on
  from ref.exchange_rates r
),
order_values as (
  select o.order_id, o.customer_id, o.order_date, o.store_id,
         sum(l.gross * coalesce(r.rate, 1)) as gross_eur,
         sum(l.net * coalesce(r.rate, 1)) as net_eur,
         sum(l.quantity) as units
  from orders o
  join lines l on l.order_id = o.order_id
  left join rates r
    on r.currency = o.currency
   and o.order_date >= r.valid_on
   and (o.order_date < r.next_valid_on or r.next_valid_on is null)
  group by o.order_id, o.customer_id, o.order_date, o.store_id
),
returns as (
  select rt.order_id, sum(rt.amount) as returned_eur, count(*) as return_count
  from stage.returns rt
  where rt.accepted
  group by rt.order_id
),
first_orders as (
  select customer_id, min(order_date) as first_order_date
  from order_values
  group by customer_id
),
enriched as (
  select v.order_id, v.customer_id, v.order_date, v.store_id, v.gross_eur, v.net_eur, v.units,
         coalesce(rt.returned_eur, 0) as returned_eur,
         v.net_eur - coalesce(rt.returned_eur, 0) as final_eur,
         iff(v.order_date = f.first_order_date, 'new', 'returning') as customer_kind
  from order_values v
  left join returns rt on rt.order_id = v.order_id
  join first_orders f on f.customer_id = v.customer_id
),
stores as (
  select s.store_id, s.name as store_name, rg.name as region, c.name as country
  from ref.stores s
  join ref.regions rg on rg.region_id = s.region_id
  join ref.countries c on c.country_code = rg.country_code
),
by_month as (
  select c.month, st.country, st.region,
         sum(e.gross_eur) as gross_eur,
         sum(e.net_eur) as net_eur,
         sum(e.returned_eur) as returned_eur,
         sum(e.final_eur) as final_eur,
         count(distinct e.order_id) as orders,
         count(distinct e.customer_id) as customers,
         count(distinct case when e.customer_kind = 'new' then e.customer_id end) as new_customers,
         sum(e.units) as units
  from enriched e
  join calendar c on c.calendar_date = e.order_date
  join stores st on st.store_id = e.store_id
  group by c.month, st.country, st.region
),
budget as (
  select b.month, b.country, b.region, sum(b.amount_eur) as budget_eur
  from finance.budget b
  where b.version = (select max(x.version) from finance.budget x where x.approved)
  group by b.month, b.country, b.region
),
traffic as (
  select date_trunc('month', w.day) as month, w.country, sum(w.visits) as visits, sum(w.bounces) as bounces
  from mart.web_traffic w
  group by 1, 2
),
marketing as (
  select date_trunc('month', m.spent_on) as month, m.country,
         sum(m.amount_eur) as spend_eur,
         sum(case when m.channel = 'search' then m.amount_eur else 0 end) as search_eur,
         sum(case when m.channel = 'social' then m.amount_eur else 0 end) as social_eur
  from finance.marketing_spend m
  group by 1, 2
),
with_history as (
  select b.*,
         lag(b.final_eur, 1) over (partition by b.country, b.region order by b.month) as previous_month_eur,
         lag(b.final_eur, 12) over (partition by b.country, b.region order by b.month) as previous_year_eur,
         sum(b.final_eur) over (partition by b.country, b.region, year(b.month) order by b.month) as year_to_date_eur,
         avg(b.final_eur) over (partition by b.country, b.region order by b.month rows between 2 preceding and current row) as moving_avg_eur
  from by_month b
),
shares as (
  select h.month, h.country, h.region,
         h.final_eur / nullif(sum(h.final_eur) over (partition by h.month, h.country), 0) as share_of_country,
         rank() over (partition by h.month order by h.final_eur desc) as region_rank
  from with_history h
)
select h.month,
       h.country,
       h.region,
       h.gross_eur,
       h.net_eur,
       h.returned_eur,
       h.final_eur,
       round(100 * h.returned_eur / nullif(h.net_eur, 0), 2) as return_rate,
       h.orders,
       h.customers,
       h.new_customers,
       h.customers - h.new_customers as returning_customers,
       h.units,
       round(h.final_eur / nullif(h.orders, 0), 2) as average_order_eur,
       h.previous_month_eur,
       round(100 * (h.final_eur - h.previous_month_eur) / nullif(h.previous_month_eur, 0), 1) as month_on_month,
       h.previous_year_eur,
       round(100 * (h.final_eur - h.previous_year_eur) / nullif(h.previous_year_eur, 0), 1) as year_on_year,
       h.year_to_date_eur,
       h.moving_avg_eur,
       b.budget_eur,
       h.final_eur - b.budget_eur as budget_gap_eur,
       case
         when b.budget_eur is null then 'no budget'
         when h.final_eur >= b.budget_eur then 'above'
         when h.final_eur >= 0.95 * b.budget_eur then 'close'
         else 'below'
       end as budget_status,
       t.visits,
       round(100 * h.orders / nullif(t.visits, 0), 2) as conversion,
       round(100 * t.bounces / nullif(t.visits, 0), 2) as bounce_rate,
       m.spend_eur,
       m.search_eur,
       m.social_eur,
       round(m.spend_eur / nullif(h.new_customers, 0), 2) as cost_per_new_customer,
       s.share_of_country,
       s.region_rank,
       current_timestamp() as reported_at
from with_history h
join shares s on s.month = h.month and s.country = h.country and s.region = h.region
left join budget b on b.month = h.month and b.country = h.country and b.region = h.region
left join traffic t on t.month = h.month and t.country = h.country
left join marketing m on m.month = h.month and m.country = h.country
where h.month < date_trunc('month', current_date())
order by h.month desc, h.country, h.region;
