insert into s.lines (id, sku) select c.id, l.sku from s.customers c left join c.orders o on true, o.lines l;

insert into s.big (id) select c.id from s.customers c where exists (select 1 from c.orders o where o.total > 100);
