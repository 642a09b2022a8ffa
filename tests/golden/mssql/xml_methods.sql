insert into dbo.lines (order_id, sku, part)
select o.doc.value('(/order/@id)[1]', 'int'), n.line.value('@sku', 'varchar(20)'), n.line.query('part')
from dbo.orders as o
cross apply o.doc.nodes('/order/line') as n (line)
where o.doc.exist('/order/line') = 1
