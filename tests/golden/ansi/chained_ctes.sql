with first_orders as (
  select customer_id, min(ordered_at) as first_at
  from orders
  group by customer_id
),
named as (
  select f.customer_id, c.name, f.first_at
  from first_orders f
  join customers c on c.id = f.customer_id
)
insert into customer_first_order (customer_id, customer_name, first_order_at)
select customer_id, name, first_at
from named
where first_at >= date '2024-01-01'
