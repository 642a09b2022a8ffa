insert into order_lines (order_id, sku, qty)
select o.id, f.value:sku::string, f.value:qty::number
from raw.orders o,
     lateral flatten(input => o.payload:lines) f
where f.index >= 0
