create view v as
select sales.orders.id, orders.total
from sales.orders
where sales.orders.status = 'open'
