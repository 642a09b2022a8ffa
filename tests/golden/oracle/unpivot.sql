create table o as
select customer_id, quantity
from pivoted
unpivot (quantity for product in (a as 'A', b as 'B'))
