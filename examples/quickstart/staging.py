"""The staging area: one script for each entity, with what it takes to make the delivered rows usable."""

from __future__ import annotations

__all__ = ["staging_scripts"]


def staging_scripts() -> dict[str, str]:
    return {f"02_staging/{name}.sql": text for name, text in _SCRIPTS.items()}


_SCRIPTS = {
    "01_exchange_rates": """\
-- The rate of every day: days without one take the last that was known.
create or replace table staging.exchange_rates as
with days as (
    select d.day, c.currency
    from core.dim_date d
    cross join (select distinct currency from landing.finance_exchange_rates) c
)
select
    days.day                                                        as rate_date,
    days.currency,
    coalesce(
        r.eur_rate,
        last_value(r.eur_rate ignore nulls) over (partition by days.currency order by days.day)
    )                                                               as eur_rate
from days
left join landing.finance_exchange_rates r
    on r.rate_date = days.day and r.currency = days.currency;
""",
    "02_customers": """\
-- The newest version of each customer.
create or replace table staging.customers as
select
    customer_id,
    nullif(trim(loyalty_no), '')                                    as loyalty_no,
    lower(trim(email))                                              as email,
    initcap(first_name) || ' ' || initcap(last_name)                as full_name,
    birth_date,
    floor(datediff('year', birth_date, current_date()) / 10) * 10   as age_group,
    upper(country)                                                  as country,
    coalesce(newsletter, false)                                     as newsletter,
    changed_at,
    sha2(concat_ws('|', email, first_name, last_name, country))     as row_hash
from landing.web_customers
qualify row_number() over (partition by customer_id order by changed_at desc, loaded_at desc) = 1;
""",
    "03_categories": """\
-- The tree of categories, flattened: department, group, category.
create or replace table staging.categories as
with recursive tree (category_code, title, department, path, depth) as (
    select category_code, title, title, title, 1
    from landing.erp_categories
    where parent_code is null
    union all
    select c.category_code, c.title, t.department, t.path || ' / ' || c.title, t.depth + 1
    from landing.erp_categories c
    join tree t on t.category_code = c.parent_code
)
select category_code, title, department, path, depth from tree;
""",
    "04_products": """\
create or replace table staging.products as
select
    p.sku,
    p.title,
    p.category_code,
    c.department,
    c.path                                                          as category_path,
    p.supplier_no,
    p.list_price,
    p.purchase_price,
    p.list_price - p.purchase_price                                 as list_margin,
    p.weight_g / 1000                                               as weight_kg,
    p.active
from landing.erp_products p
left join staging.categories c using (category_code)
qualify row_number() over (partition by p.sku order by p.changed_at desc) = 1;
""",
    "05_stores": """\
insert overwrite into staging.stores (store_no, store_name, city, country, opened_on, size_class)
select
    store_no,
    name,
    city,
    upper(country),
    opened_on,
    case when area_m2 >= 1500 then 'large' when area_m2 >= 400 then 'medium' else 'small' end
from landing.pos_stores;
""",
    "06_receipt_lines": """\
-- Sales of the shops, line by line, in euro.
delete from staging.receipt_lines where sale_date = current_date() - 1;

insert into staging.receipt_lines
    (receipt_id, line_no, store_no, loyalty_no, sku, sale_date, sold_at, quantity, gross_eur, discount_eur, net_eur)
select
    r.receipt_id,
    l.line_no,
    r.store_no,
    r.loyalty_no,
    l.sku,
    r.sold_at::date,
    r.sold_at,
    l.quantity,
    l.quantity * l.unit_price / x.eur_rate,
    l.discount / x.eur_rate,
    (l.quantity * l.unit_price - l.discount) / (1 + l.vat_rate) / x.eur_rate
from landing.pos_receipts r
join landing.pos_receipt_lines l on l.receipt_id = r.receipt_id
join staging.exchange_rates x on x.currency = r.currency and x.rate_date = r.sold_at::date
where r.sold_at::date = current_date() - 1;
""",
    "07_order_items": """\
-- Sales of the web shop, item by item, in euro; shipping is spread over the items by value.
merge into staging.order_items t
using (
    select
        o.order_id,
        i.item_no,
        o.customer_id,
        i.sku,
        o.ordered_at::date                                          as sale_date,
        o.status,
        o.campaign_code,
        i.quantity,
        i.quantity * i.unit_price / x.eur_rate                      as gross_eur,
        i.discount / x.eur_rate                                     as discount_eur,
        (i.quantity * i.unit_price - i.discount) / (1 + i.vat_rate) / x.eur_rate as net_eur,
        o.shipping / x.eur_rate
            * ratio_to_report(i.quantity * i.unit_price) over (partition by o.order_id) as shipping_eur
    from landing.web_orders o
    join landing.web_order_items i using (order_id)
    join staging.exchange_rates x on x.currency = o.currency and x.rate_date = o.ordered_at::date
    where o.ordered_at::date >= current_date() - 1
) s
on t.order_id = s.order_id and t.item_no = s.item_no
when matched and s.status = 'cancelled' then delete
when matched then update set
    status = s.status,
    quantity = s.quantity,
    gross_eur = s.gross_eur,
    discount_eur = s.discount_eur,
    net_eur = s.net_eur,
    shipping_eur = s.shipping_eur
when not matched then insert
    (order_id, item_no, customer_id, sku, sale_date, status, campaign_code, quantity, gross_eur, discount_eur, net_eur,
     shipping_eur)
values
    (s.order_id, s.item_no, s.customer_id, s.sku, s.sale_date, s.status, s.campaign_code, s.quantity, s.gross_eur,
     s.discount_eur, s.net_eur, s.shipping_eur);
""",
    "08_payments": """\
create or replace table staging.payments as
select
    p.payment_id,
    p.receipt_id,
    decode(p.method, 'CC', 'card', 'DC', 'card', 'CA', 'cash', 'GV', 'voucher', 'other') as method,
    p.amount / x.eur_rate                                           as amount_eur,
    p.paid_at
from landing.pos_payments p
join landing.pos_receipts r on r.receipt_id = p.receipt_id
join staging.exchange_rates x on x.currency = r.currency and x.rate_date = p.paid_at::date;
""",
    "09_sessions": """\
-- Clicks to visits: a pause of half an hour begins a new one.
create or replace temporary table clicks as
select
    e.event_id,
    e.payload:visitor.id::varchar                                   as visitor_id,
    e.payload:customer_id::number                                   as customer_id,
    e.payload:page.url::varchar                                     as url,
    e.payload:utm.campaign::varchar                                 as campaign_code,
    p.value:sku::varchar                                            as sku,
    e.received_at
from landing.web_events e,
    lateral flatten(input => e.payload:products, outer => true) p
where e.received_at::date = current_date() - 1;

insert into staging.web_sessions
    (visitor_id, session_no, customer_id, campaign_code, started_at, ended_at, clicks, products_seen)
select
    visitor_id,
    session_no,
    max(customer_id),
    min_by(campaign_code, received_at),
    min(received_at),
    max(received_at),
    count(*),
    count(distinct sku)
from (
    select
        c.*,
        conditional_true_event(datediff('minute', previous_at, received_at) > 30)
            over (partition by visitor_id order by received_at)     as session_no
    from (
        select clicks.*, lag(received_at) over (partition by visitor_id order by received_at) as previous_at
        from clicks
    ) c
)
group by visitor_id, session_no;
""",
    "10_stock": """\
insert into staging.stock_levels (sku, store_no, counted_on, available)
select sku, store_no, counted_on, on_hand - reserved
from landing.erp_stock_levels
where counted_on = current_date() - 1;
""",
    "11_purchases": """\
create or replace table staging.purchases as
select
    o.po_no,
    l.line_no,
    o.supplier_no,
    l.sku,
    o.ordered_on,
    o.promised_on,
    o.received_on,
    l.quantity,
    l.quantity * l.price                                            as cost_eur,
    datediff('day', o.promised_on, o.received_on)                   as days_late
from landing.erp_purchase_orders o
left join landing.erp_purchase_order_lines l on l.po_no = o.po_no;
""",
    "12_campaign_days": """\
-- Spend and newsletter figures of each campaign and day on one line.
create or replace table staging.campaign_days as
with mails as (
    select
        campaign_code,
        happened_at::date                                           as day,
        count_if(event_type = 'sent')                               as mails_sent,
        count_if(event_type = 'opened')                             as mails_opened,
        count_if(event_type = 'clicked')                            as mails_clicked
    from landing.marketing_newsletter_events
    group by 1, 2
)
select
    coalesce(a.campaign_code, m.campaign_code)                      as campaign_code,
    coalesce(a.spend_date, m.day)                                   as day,
    zeroifnull(a.impressions)                                       as impressions,
    zeroifnull(a.clicks) + zeroifnull(m.mails_clicked)              as clicks,
    zeroifnull(a.cost_eur)                                          as cost_eur,
    zeroifnull(m.mails_sent)                                        as mails_sent,
    zeroifnull(m.mails_opened)                                      as mails_opened
from landing.marketing_ad_spend a
full outer join mails m on m.campaign_code = a.campaign_code and m.day = a.spend_date;
""",
    "13_returns": """\
insert into staging.returns (return_id, order_id, item_no, sku, quantity, refund_eur, reason, returned_on)
select
    r.return_id,
    r.order_id,
    r.item_no,
    i.sku,
    r.quantity,
    least(r.refund, i.gross_eur),
    coalesce(nullif(lower(r.reason), ''), 'unknown'),
    r.returned_on
from landing.service_returns r
join staging.order_items i on i.order_id = r.order_id and i.item_no = r.item_no
where r.returned_on = current_date() - 1
  and not exists (select 1 from staging.returns known where known.return_id = r.return_id);
""",
    "14_tickets": """\
create or replace table staging.tickets as
select
    ticket_id,
    customer_id,
    order_id,
    lower(topic)                                                    as topic,
    opened_at,
    closed_at,
    datediff('hour', opened_at, coalesce(closed_at, current_timestamp())) as open_hours,
    satisfaction
from landing.service_tickets;
""",
    "15_reviews": """\
create or replace table staging.reviews as
select review_id, sku, customer_id, stars, length(body) as body_length, written_at::date as written_on
from landing.service_reviews
where stars between 1 and 5;
""",
}
