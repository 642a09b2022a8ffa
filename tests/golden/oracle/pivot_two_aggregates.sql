create table o as
select customer_id, a_qty, a_cnt
from (select customer_id, product, quantity from orders)
pivot (sum(quantity) as qty, count(quantity) as cnt for product in ('A' as a, 'B' as b))
