create table mart.customers as
select e.id, x.name
from raw.events as e
join external_query('proj.us.crm', '''select id, name from public.customers where active''') as x on x.id = e.id;

insert into mart.orders (id)
select id from external_query("proj.us.shop", "select `id` from `shop`.`orders` limit 10")
