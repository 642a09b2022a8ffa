create view v as
select c.id, x.total
from customers c
cross apply (
  select top 3 o.total
  from orders o
  where o.customer_id = c.id
  order by o.total desc
) x
