delete o
from orders o
join customers c on c.id = o.customer_id
where c.deleted = 1
