-- Monthly figures of each department, beside the month before and the same month of last year.
create or replace table mart.monthly_department as
with months as (
    select
        date_trunc('month', order_date)                  as month,
        department,
        sum(net_eur)                                     as revenue_eur,
        sum(margin_eur)                                  as margin_eur,
        count(distinct order_id)                         as orders
    from mart.v_sales
    group by 1, 2
)
select
    month,
    department,
    revenue_eur,
    margin_eur / nullif(revenue_eur, 0)                  as margin_rate,
    orders,
    revenue_eur / nullif(orders, 0)                      as basket_eur,
    revenue_eur - lag(revenue_eur) over (partition by department order by month)      as change_eur,
    revenue_eur / nullif(lag(revenue_eur, 12) over (partition by department order by month), 0) - 1 as growth_rate,
    revenue_eur / sum(revenue_eur) over (partition by month)                          as share_of_month
from months;
