merge into main.silver.customers t
using (
  select * from main.bronze.customers_cdc qualify row_number() over (partition by id order by seq desc) = 1
) s
on t.id = s.id
when matched and s.op = 'DELETE' then delete
when matched then update set t.name = s.name, t.email = s.email, t.updated_at = s.ts
when not matched and s.op <> 'DELETE' then insert (id, name, email, updated_at) values (s.id, s.name, s.email, s.ts);

create or replace table main.gold.daily_sales as
select s.store_id, s.sold_on, sum(s.amount) as amount, count(distinct s.basket_id) as baskets, amount / baskets as per_basket
from main.silver.sales s
group by s.store_id, s.sold_on;

insert into main.gold.alerts
select d.device_id, d.raw:status.code::int as code, d.raw:status.text as message, d.ts
from main.bronze.device_messages d
where d.raw:status.code::int >= 500;

create or replace view main.gold.v_inventory as
select p.sku, p.name, i.warehouse, i.on_hand, i.on_hand * p.cost as value
from main.silver.products p
join main.silver.inventory i using (sku)
where i.snapshot_date = (select max(snapshot_date) from main.silver.inventory);

create or replace table main.gold.features as
with tx as (
  select customer_id, amount, ts, amount - avg(amount) over w as deviation, count(*) over w as seen
  from main.silver.transactions
  window w as (partition by customer_id order by ts rows between 30 preceding and 1 preceding)
),
agg as (
  select customer_id, max(deviation) as max_deviation, percentile(amount, 0.9) as p90, array_agg(amount) as amounts
  from tx
  where seen > 5
  group by customer_id
)
select a.customer_id, a.max_deviation, a.p90, size(a.amounts) as n, c.segment, c.country
from agg a
left join main.silver.customers c on c.id = a.customer_id;

insert into main.gold.exploded (order_id, sku, qty)
select o.id, l.sku, l.qty from main.bronze.orders o lateral view explode(from_json(o.lines, 'array<struct<sku:string,qty:int>>')) t as l;

update main.silver.orders set status = 'late' where promised_at < current_timestamp() and delivered_at is null;

delete from main.silver.sessions where user_id in (select id from main.silver.customers where erased);

create or replace table main.gold.star_join as
select f.* except (load_id), d.month_name, g.region
from main.silver.fact_sales f
join main.ref.dates d on d.date_key = f.date_key
join main.ref.geo g on g.geo_key = f.geo_key;

create or replace table main.gold.unioned as
select id, name, 'crm' as origin from main.bronze.crm
union all
select account_id, account_name, 'erp' from main.bronze.erp
union all
select uid, display_name, 'app' from main.bronze.app where not is_bot;
