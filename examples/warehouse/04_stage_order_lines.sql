-- Order lines with their order's head, amounts in euros at the rate of the order day.
create or replace table staging.order_lines as
with valid_orders as (
    select order_id, customer_id, store_no, lower(channel) as channel, currency, order_ts, order_ts::date as order_date
    from raw.orders
    where status not in ('CANCELLED', 'TEST')
),
rates as (
    select currency, rate_date, rate_to_eur
    from raw.exchange_rates
    union all
    select 'EUR', d.order_date, 1.0
    from (select distinct order_date from valid_orders) d
)
select
    o.order_id,
    l.line_no,
    o.customer_id,
    o.store_no,
    o.channel,
    o.order_date,
    l.sku,
    l.quantity,
    l.quantity * l.unit_price * r.rate_to_eur            as gross_eur,
    l.quantity * l.unit_price * r.rate_to_eur
        * (1 - coalesce(l.discount_pct, 0) / 100)        as net_eur
from valid_orders o
join raw.order_lines l
    on l.order_id = o.order_id
left join rates r
    on r.currency = o.currency
   and r.rate_date = o.order_date
where l.quantity > 0;
