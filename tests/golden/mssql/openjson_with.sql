insert into dbo.lines (order_id, sku)
select o.id, j.sku
from dbo.orders o
cross apply openjson(o.doc, '$.lines') with (sku varchar(20) '$.sku') j
