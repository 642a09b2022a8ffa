insert into lines (order_id, sku, qty)
select o.id, l.sku, l.qty
from orders o
cross join lateral jsonb_to_recordset(o.doc->'lines') as l (sku text, qty int)
