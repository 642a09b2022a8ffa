delete d.inventory i where i.product not in (select product from d.arrivals);
delete d.stock as s where s.amount = 0;
