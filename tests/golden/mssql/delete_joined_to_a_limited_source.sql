select id into #old from dbo.orders where placed < '2020-01-01';
delete e from dbo.order_lines e join #old o on o.id = e.order_id
