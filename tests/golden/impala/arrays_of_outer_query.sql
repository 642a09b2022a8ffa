insert into d.big select c.id from d.customers c where exists (select 1 from c.orders o where o.total > 100);
