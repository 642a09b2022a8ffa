create view d.v as
select o.id, l.sku
from d.orders o, o.lines l
