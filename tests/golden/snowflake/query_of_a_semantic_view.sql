create table o as
select * from semantic_view(db.s.sales dimensions customer.segment, orders.order_year as y metrics orders.total where orders.order_year > 2010);

create view v as select q.avg_value from semantic_view(sales metrics orders.avg_value, items.n dimensions customer.*) as q;
