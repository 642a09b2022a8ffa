update sales
set price = p.price, name = c.name
from products p
join categories c on c.id = p.category_id
where sales.product_id = p.id
