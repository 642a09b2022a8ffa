insert into archive..orders (id) select id from live..orders
