update orders o
join customers c on c.id = o.customer_id
set o.region = c.region, o.changed = now()
where c.active = 1
