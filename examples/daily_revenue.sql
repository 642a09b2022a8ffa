insert into core.daily_revenue (day, store_no, revenue)
select o.order_date, o.store_no, sum(l.quantity * l.unit_price)
from raw.orders o
join raw.order_lines l on l.order_id = o.order_id
where o.status = 'paid'
group by o.order_date, o.store_no;
