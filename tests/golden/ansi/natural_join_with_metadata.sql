-- metadata: {"customers": ["customer_id", "name"], "sales": ["sale_id", "customer_id", "total"]}
create view v as
select name, total
from customers
natural join sales
