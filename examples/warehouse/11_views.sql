-- What analysts see: sales with the names of things, and each customer with what they are worth.
create or replace view mart.v_sales as
select
    f.order_id,
    f.order_date,
    f.channel,
    s.store_name,
    s.store_format,
    p.department,
    p.category,
    p.brand,
    p.product_name,
    c.country_code                                       as customer_country,
    c.segment                                            as customer_segment,
    f.quantity,
    f.net_eur,
    f.margin_eur
from core.fact_sales f
join core.dim_product p on p.product_key = f.product_key
join core.dim_store s on s.store_no = f.store_no
left join core.dim_customer c on c.customer_key = f.customer_key;

create or replace view mart.v_customer_value (customer_id, full_name, segment, orders, revenue_eur, refunds_eur, kept_eur)
as
select
    c.customer_id,
    c.full_name,
    c.segment,
    coalesce(s.orders, 0),
    coalesce(s.revenue_eur, 0),
    coalesce(r.refunds_eur, 0),
    coalesce(s.revenue_eur, 0) - coalesce(r.refunds_eur, 0)
from core.dim_customer c
left join (
    select customer_key, count(distinct order_id) as orders, sum(net_eur) as revenue_eur
    from core.fact_sales
    group by customer_key
) s on s.customer_key = c.customer_key
left join (
    select customer_key, sum(refund_eur) as refunds_eur
    from core.fact_returns
    group by customer_key
) r on r.customer_key = c.customer_key
where c.valid_to is null;
