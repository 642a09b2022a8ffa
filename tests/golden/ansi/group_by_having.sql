insert into big_customers (customer_id, revenue)
select customer_id, sum(amount)
from sales
group by customer_id
having sum(amount) > 1000 and max(discount) < 0.5
