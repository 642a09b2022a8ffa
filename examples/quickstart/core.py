"""The core: dimensions and facts."""

from __future__ import annotations

__all__ = ["core_scripts"]


def core_scripts() -> dict[str, str]:
    return {f"03_core/{name}.sql": text for name, text in _SCRIPTS.items()}


_SCRIPTS = {
    "01_dim_date": """\
create or replace table core.dim_date as
select
    dateadd('day', seq4(), '2015-01-01'::date)                      as day,
    year(day)                                                       as year,
    month(day)                                                      as month,
    to_char(day, 'YYYY-MM')                                         as year_month,
    dayofweekiso(day)                                               as weekday,
    weekday >= 6                                                    as is_weekend
from table(generator(rowcount => 7305));
""",
    "02_dim_customer": """\
-- Slowly changing: a change closes the version that was valid and opens a new one.
create table if not exists core.dim_customer (
    customer_key  number autoincrement,
    customer_id   number,
    loyalty_no    varchar,
    full_name     varchar,
    age_group     number,
    country       varchar(2),
    newsletter    boolean,
    segment       varchar,
    row_hash      varchar,
    valid_from    date,
    valid_to      date
);

merge into core.dim_customer d
using staging.customers s
on d.customer_id = s.customer_id and d.valid_to is null
when matched and d.row_hash <> s.row_hash then update set valid_to = current_date() - 1;

insert into core.dim_customer
    (customer_id, loyalty_no, full_name, age_group, country, newsletter, row_hash, valid_from)
select s.customer_id, s.loyalty_no, s.full_name, s.age_group, s.country, s.newsletter, s.row_hash, current_date()
from staging.customers s
left join core.dim_customer d on d.customer_id = s.customer_id and d.valid_to is null
where d.customer_id is null;
""",
    "03_dim_supplier": """\
create or replace table core.dim_supplier as
select supplier_no as supplier_key, name as supplier_name, country, lead_days
from landing.erp_suppliers;
""",
    "04_dim_product": """\
merge into core.dim_product d
using (
    select p.*, s.supplier_name
    from staging.products p
    left join core.dim_supplier s on s.supplier_key = p.supplier_no
) s
on d.sku = s.sku
when matched then update set
    title = s.title,
    department = s.department,
    category_path = s.category_path,
    supplier_name = s.supplier_name,
    list_price = s.list_price,
    unit_cost = s.purchase_price,
    active = s.active
when not matched then insert
    (sku, title, department, category_path, supplier_name, list_price, unit_cost, active)
values
    (s.sku, s.title, s.department, s.category_path, s.supplier_name, s.list_price, s.purchase_price, s.active);
""",
    "05_dim_store": """\
create or replace table core.dim_store as
select store_no as store_key, store_name, city, country, size_class, opened_on from staging.stores
union all
select 0, 'web shop', null, null, 'web', '2016-05-01'::date;
""",
    "06_dim_campaign": """\
create or replace table core.dim_campaign as
select
    c.campaign_code                                                 as campaign_key,
    c.title                                                         as campaign_title,
    c.channel,
    c.starts_on,
    c.ends_on,
    datediff('day', c.starts_on, c.ends_on) + 1                     as days
from landing.marketing_campaigns c;
""",
    "07_fact_sales": """\
-- Both channels in one fact: the days that come in are removed and written again.
delete from core.fact_sales f
using (
    select distinct sale_date from staging.receipt_lines where sale_date = current_date() - 1
    union
    select distinct sale_date from staging.order_items where sale_date >= current_date() - 1
) s
where f.sale_date = s.sale_date;

insert into core.fact_sales
    (channel, document_no, line_no, customer_key, sku, store_key, campaign_key, sale_date,
     quantity, gross_eur, discount_eur, net_eur, cost_eur, margin_eur)
with sales as (
    select
        'store' as channel, r.receipt_id as document_no, r.line_no, c.customer_key, r.sku, r.store_no as store_key,
        null as campaign_key, r.sale_date, r.quantity, r.gross_eur, r.discount_eur, r.net_eur
    from staging.receipt_lines r
    left join core.dim_customer c on c.loyalty_no = r.loyalty_no and c.valid_to is null
    where r.sale_date = current_date() - 1
    union all
    select
        'web', o.order_id, o.item_no, c.customer_key, o.sku, 0,
        o.campaign_code, o.sale_date, o.quantity, o.gross_eur, o.discount_eur, o.net_eur + o.shipping_eur
    from staging.order_items o
    left join core.dim_customer c
        on c.customer_id = o.customer_id
       and o.sale_date >= c.valid_from
       and o.sale_date < coalesce(c.valid_to, '9999-12-31'::date)
    where o.sale_date >= current_date() - 1
)
select
    s.channel, s.document_no, s.line_no, s.customer_key, s.sku, s.store_key, s.campaign_key, s.sale_date,
    s.quantity, s.gross_eur, s.discount_eur, s.net_eur,
    s.quantity * p.unit_cost,
    s.net_eur - s.quantity * p.unit_cost
from sales s
join core.dim_product p on p.sku = s.sku;
""",
    "08_fact_returns": """\
insert into core.fact_returns (return_id, order_id, sku, customer_key, returned_on, quantity, refund_eur, reason)
select r.return_id, r.order_id, r.sku, f.customer_key, r.returned_on, r.quantity, r.refund_eur, r.reason
from staging.returns r
join core.fact_sales f
    on f.channel = 'web' and f.document_no = r.order_id and f.line_no = r.item_no
where r.returned_on = current_date() - 1;
""",
    "09_fact_stock": """\
merge into core.fact_stock t
using (
    select
        s.sku,
        s.store_no                                                  as store_key,
        s.counted_on,
        s.available,
        s.available * p.unit_cost                                   as value_eur,
        s.available - lag(s.available) over (partition by s.sku, s.store_no order by s.counted_on) as change
    from staging.stock_levels s
    join core.dim_product p on p.sku = s.sku
) s
on t.sku = s.sku and t.store_key = s.store_key and t.counted_on = s.counted_on
when matched then update set available = s.available, value_eur = s.value_eur, change = s.change
when not matched then insert (sku, store_key, counted_on, available, value_eur, change)
    values (s.sku, s.store_key, s.counted_on, s.available, s.value_eur, s.change);
""",
    "10_fact_purchases": """\
create or replace table core.fact_purchases cluster by (ordered_on) as
select
    p.po_no, p.line_no, p.supplier_no as supplier_key, p.sku, p.ordered_on, p.received_on,
    p.quantity, p.cost_eur, p.days_late, p.days_late > 0 as is_late
from staging.purchases p;
""",
    "11_fact_visits": """\
insert into core.fact_visits (visitor_id, session_no, customer_key, campaign_key, visit_date, minutes, clicks, products_seen)
select
    w.visitor_id,
    w.session_no,
    c.customer_key,
    w.campaign_code,
    w.started_at::date,
    datediff('second', w.started_at, w.ended_at) / 60,
    w.clicks,
    w.products_seen
from staging.web_sessions w
left join core.dim_customer c on c.customer_id = w.customer_id and c.valid_to is null
where w.started_at::date = current_date() - 1;
""",
    "12_fact_campaigns": """\
create or replace table core.fact_campaigns as
select d.campaign_code as campaign_key, d.day, d.impressions, d.clicks, d.cost_eur, d.mails_sent, d.mails_opened
from staging.campaign_days d
where d.campaign_code in (select campaign_key from core.dim_campaign);
""",
    "13_fact_tickets": """\
create or replace table core.fact_tickets as
select t.ticket_id, c.customer_key, t.order_id, t.topic, t.opened_at::date as opened_on, t.open_hours, t.satisfaction
from staging.tickets t
left join core.dim_customer c on c.customer_id = t.customer_id and c.valid_to is null;
""",
    "14_fact_budget": """\
create or replace table core.fact_budget as
select
    date_from_parts(budget_year, budget_month, 1)                   as month,
    country,
    department,
    net_eur                                                         as budget_eur
from landing.finance_budgets;
""",
}
