-- Segments by recency, frequency and value of the last year's orders.
create or replace temporary table customer_scores as
select
    customer_key,
    ntile(5) over (order by max(order_date))             as recency,
    ntile(5) over (order by count(distinct order_id))    as frequency,
    ntile(5) over (order by sum(net_eur))                as value
from core.fact_sales
where order_date >= dateadd('year', -1, current_date())
group by customer_key;

update core.dim_customer d
set segment = case
        when s.recency >= 4 and s.value >= 4 then 'champion'
        when s.frequency >= 4 then 'loyal'
        when s.recency <= 2 and s.value >= 4 then 'at risk'
        when s.recency <= 2 then 'sleeping'
        else 'regular'
    end
from customer_scores s
where s.customer_key = d.customer_key
  and d.valid_to is null;

drop table customer_scores;
