insert into shop.order_summary (order_id, customer_id, total, items)
select o.id, o.customer_id, sum(i.price * i.qty), count(*)
from shop.orders o
join shop.order_items i on i.order_id = o.id
group by o.id, o.customer_id
on duplicate key update total = values(total), items = values(items);

update shop.customers c
join (select customer_id, max(created_at) as last_at, count(*) as n from shop.orders group by customer_id) x on x.customer_id = c.id
set c.last_order_at = x.last_at, c.order_count = x.n
where c.deleted = 0;

delete s
from shop.sessions s
left join shop.users u on u.id = s.user_id
where u.id is null or s.expires_at < now() - interval 7 day;

create table report.monthly as
select date_format(o.created_at, '%Y-%m') as month, c.country, sum(o.total) as revenue, count(distinct o.customer_id) as buyers,
       group_concat(distinct o.channel order by o.channel separator '/') as channels
from shop.orders o
left join shop.customers c on c.id = o.customer_id
group by month, c.country with rollup;

insert ignore into crm.leads (email, source, created_at)
select lower(trim(f.email)), 'form', f.submitted_at from web.forms f where f.email regexp '^[^@]+@[^@]+$';

create view report.v_basket as
select a.product_id as left_product, b.product_id as right_product, count(*) as together
from shop.order_items a
join shop.order_items b on b.order_id = a.order_id and b.product_id > a.product_id
group by a.product_id, b.product_id
having count(*) > 5;

insert into report.phones (person_id, kind, number)
select p.id, j.kind, j.number
from crm.people p,
     json_table(p.doc, '$.phones[*]' columns (kind varchar(10) path '$.kind', number varchar(30) path '$.number')) as j;

update shop.products set price = round(price * 1.05, 2), updated_at = now() where category_id in (select id from shop.categories where name like 'Import%');

insert into report.ranked (customer_id, total, place, bucket)
with totals as (select customer_id, sum(total) as total from shop.orders where year(created_at) = 2024 group by customer_id)
select customer_id, total, rank() over (order by total desc), ntile(10) over (order by total desc) from totals;

select c.name, ifnull(o.total, 0) as total, if(o.total > 1000, 'big', 'small') as size, timestampdiff(day, c.created_at, now()) as age
from shop.customers c
left join (select customer_id, sum(total) as total from shop.orders group by customer_id) o on o.customer_id = c.id
where exists (select 1 from shop.newsletter n where n.customer_id = c.id and n.confirmed)
order by total desc
limit 100;
