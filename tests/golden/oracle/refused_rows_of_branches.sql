insert first
  when total < 100 then into small_orders (id) values (oid)
  else into large_orders (id, t) values (oid, total) log errors into refused ('tag') reject limit unlimited
select o.order_id oid, o.order_total total from orders o;
