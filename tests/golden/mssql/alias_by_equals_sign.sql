create view v as
select total = o.price * o.qty, [order id] = o.id from dbo.orders o
