insert first
  when total > 100 then into large_orders (order_id, total) values (id, total)
  else into small_orders (order_id) values (id)
select id, qty * price as total from orders
