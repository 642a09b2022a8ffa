-- Every night: what the shop has sold since yesterday.
insert into shop.core.orders
select order_id, customer_id, amount * 1.19, to_date(ordered_at)
from shop.raw.orders
where ordered_at >= dateadd(day, -1, current_date());
