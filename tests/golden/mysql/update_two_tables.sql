update orders, prices
set orders.total = orders.qty * prices.price
where orders.sku = prices.sku
