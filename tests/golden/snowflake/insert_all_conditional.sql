insert all
  when amount > 1000 then into big_orders (id, amount) values (order_id, total)
  when amount <= 1000 then into small_orders (id) values (order_id)
  else into other_orders (id) values (order_id)
select order_id, amount, amount * 1.1 as total from orders
