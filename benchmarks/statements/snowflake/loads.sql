insert into stage.orders (order_id, customer_id, ordered_at, status, amount)
select o.id, o.customer_id, o.created_at::timestamp_ntz, upper(o.status), o.amount_cents / 100
from raw.shop_orders o
where o._loaded_at > (select coalesce(max(loaded_at), '1970-01-01'::timestamp_ntz) from stage.load_log where table_name = 'orders');

insert into stage.order_lines (order_id, line_no, sku, quantity, unit_price, discount)
select o.id, f.index + 1, f.value:sku::varchar, f.value:qty::number(10, 0), f.value:price::number(12, 2), nvl(f.value:discount::number(12, 2), 0)
from raw.shop_orders o,
     lateral flatten(input => o.payload:lines) f
where o.payload:lines is not null;

insert overwrite into stage.customers
select c.id as customer_id, initcap(c.first_name) as first_name, initcap(c.last_name) as last_name, lower(c.email) as email, c.country_code, c.created_at
from raw.crm_customers c
qualify row_number() over (partition by c.id order by c._loaded_at desc) = 1;

merge into mart.dim_customer d
using (
  select s.customer_id, s.first_name, s.last_name, s.email, s.country_code,
         md5(concat_ws('|', s.first_name, s.last_name, s.email, s.country_code)) as row_hash
  from stage.customers s
) s
on d.customer_id = s.customer_id and d.is_current
when matched and d.row_hash <> s.row_hash then update set
  d.is_current = false,
  d.valid_to = current_timestamp()
when not matched then insert (customer_id, first_name, last_name, email, country_code, row_hash, valid_from, is_current)
values (s.customer_id, s.first_name, s.last_name, s.email, s.country_code, s.row_hash, current_timestamp(), true);

update stage.orders o
set o.currency = x.currency, o.amount_eur = o.amount * x.rate
from ref.exchange_rates x
where x.currency = o.currency and x.valid_on = o.ordered_at::date;

delete from stage.order_lines l
using stage.orders o
where o.order_id = l.order_id and o.status = 'CANCELLED';

insert all
  when channel = 'web' then into mart.web_events (event_id, user_id, at) values (event_id, user_id, happened_at)
  when channel = 'app' then into mart.app_events (event_id, user_id, at, device) values (event_id, user_id, happened_at, device)
  else into mart.other_events (event_id, at) values (event_id, happened_at)
select e.id as event_id, e.user_id, e.channel, e.happened_at, e.context:device.model::string as device
from raw.events e;

create or replace transient table stage.products as
select p.$1:id::number as product_id, p.sku, p.name, c.name as category, p.price
from raw.products p
left join raw.categories c on c.id = p.category_id;
