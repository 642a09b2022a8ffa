first_orders as (select id, day from orders),
last_orders as (select id, day from returns)
