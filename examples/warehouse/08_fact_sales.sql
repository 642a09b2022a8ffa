-- Sales fact: the days that changed are removed and written again.
create table if not exists core.fact_sales (
    order_id        number,
    line_no         number,
    customer_key    number,
    product_key     number,
    store_no        number,
    order_date      date,
    channel         varchar(20),
    quantity        number(10, 2),
    gross_eur       number(18, 4),
    net_eur         number(18, 4),
    cost_eur        number(18, 4),
    margin_eur      number(18, 4),
    order_no_of_customer number
);

delete from core.fact_sales f
using staging.order_lines s
where f.order_id = s.order_id;

insert into core.fact_sales
    (order_id, line_no, customer_key, product_key, store_no, order_date, channel,
     quantity, gross_eur, net_eur, cost_eur, margin_eur, order_no_of_customer)
with priced as (
    select
        s.order_id,
        s.line_no,
        c.customer_key,
        p.product_key,
        iff(s.channel = 'web', 0, s.store_no)            as store_no,
        s.order_date,
        s.channel,
        s.quantity,
        s.gross_eur,
        s.net_eur,
        s.quantity * p.unit_cost                         as cost_eur
    from staging.order_lines s
    left join core.dim_customer c
        on c.customer_id = s.customer_id
       and s.order_date >= c.valid_from
       and s.order_date < coalesce(c.valid_to, '9999-12-31'::date)
    join core.dim_product p
        on p.sku = s.sku
)
select
    order_id,
    line_no,
    customer_key,
    product_key,
    store_no,
    order_date,
    channel,
    quantity,
    gross_eur,
    net_eur,
    cost_eur,
    net_eur - cost_eur,
    dense_rank() over (partition by customer_key order by order_date, order_id)
from priced;
