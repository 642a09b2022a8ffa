insert into `shop-prod.stage.events` (event_id, user_id, name, at, params)
select e.event_id, e.user_pseudo_id, e.event_name, timestamp_micros(e.event_timestamp), to_json_string(e.event_params)
from `shop-prod.analytics.events_20240501` e
where e.event_name not like 'debug%';

insert into stage.order_lines (order_id, sku, quantity, price)
select o.order_id, l.sku, l.quantity, l.price
from raw.orders o, unnest(o.lines) as l
where o.ingested_at > timestamp_sub(current_timestamp(), interval 1 day);

merge mart.products p
using (
  select sku, array_agg(s order by s.updated_at desc limit 1)[offset(0)].name as name, max(s.price) as price
  from stage.products s
  group by sku
) s
on p.sku = s.sku
when matched and (p.name != s.name or p.price != s.price) then update set name = s.name, price = s.price, updated_at = current_timestamp()
when not matched by target then insert (sku, name, price, created_at) values (s.sku, s.name, s.price, current_timestamp())
when not matched by source and p.active then update set active = false;

update stage.orders o
set total = t.total, line_count = t.n
from (select order_id, sum(price * quantity) as total, count(*) as n from stage.order_lines group by order_id) t
where o.order_id = t.order_id;

delete from stage.events
where event_id in (select event_id from stage.events group by event_id having count(*) > 1) and at < '2024-01-01';

create temp table recent_users as
select distinct user_id, first_value(country) over (partition by user_id order by at desc) as country
from stage.events
where at >= timestamp_sub(current_timestamp(), interval 28 day);

insert into mart.user_country (user_id, country, checked_on)
select user_id, country, current_date() from recent_users where country is not null;
