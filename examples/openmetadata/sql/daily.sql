create table mart.daily as
select o.day, sum(o.amount * o.quantity) as revenue, count(*) as orders
from raw.orders o join raw.countries c on c.code = o.country
where c.region = 'EU'
group by o.day;
