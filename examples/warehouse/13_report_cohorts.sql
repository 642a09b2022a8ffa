-- Of the customers who bought first in a month, how many come back in the months after?
insert overwrite into mart.cohort_retention (cohort_month, months_since, customers, cohort_size, retention)
with first_orders as (
    select customer_key, min(date_trunc('month', order_date)) as cohort_month
    from core.fact_sales
    where customer_key is not null
    group by customer_key
),
activity as (
    select distinct
        f.customer_key,
        c.cohort_month,
        datediff('month', c.cohort_month, f.order_date)  as months_since
    from core.fact_sales f
    join first_orders c
        on c.customer_key = f.customer_key
),
sizes as (
    select cohort_month, count(*) as cohort_size
    from first_orders
    group by cohort_month
)
select
    a.cohort_month,
    a.months_since,
    count(distinct a.customer_key),
    max(s.cohort_size),
    count(distinct a.customer_key) / max(s.cohort_size)
from activity a
join sizes s using (cohort_month)
group by a.cohort_month, a.months_since
having max(s.cohort_size) >= 50;
