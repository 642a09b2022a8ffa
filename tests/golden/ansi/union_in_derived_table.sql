create view v as
select u.id, u.amount
from (
  select id, amount from web_sales
  union all
  select order_id, total from store_sales where cancelled = 0
) u
