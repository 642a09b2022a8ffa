insert into d.lines (order_id, sku, qty)
select o.id, l.sku, l.qty
from d.orders o, unnest(o.lines) l
where l.qty > 0
