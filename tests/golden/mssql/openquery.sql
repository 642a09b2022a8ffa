insert into dbo.customers (id, name)
select q.id, q.name
from openquery(crm, 'select id, name from app.customers where active = 1') as q
join crm.sales.app.regions as r on r.id = q.id;

insert into dbo.stock
select * from openquery(erp, 'select s.item, nvl(s.qty, 0) qty from inv.stock s, inv.items i where i.item = s.item(+)');

insert into openquery(crm, 'select id, name from app.exported') (id, name)
select id, name from dbo.customers
