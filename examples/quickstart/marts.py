"""What people look at: marts, views, and the routines that run the house."""

from __future__ import annotations

__all__ = ["mart_scripts"]


def mart_scripts() -> dict[str, str]:
    return {f"{name}.sql": text for name, text in _SCRIPTS.items()}


_SCRIPTS = {
    "04_mart/01_daily_sales": """\
delete from mart.daily_sales where day = current_date() - 1;

insert into mart.daily_sales (day, country, store_key, channel, documents, quantity, net_eur, margin_eur, margin_rate)
select
    f.sale_date,
    s.country,
    f.store_key,
    f.channel,
    count(distinct f.document_no),
    sum(f.quantity),
    sum(f.net_eur),
    sum(f.margin_eur),
    div0(sum(f.margin_eur), sum(f.net_eur))
from core.fact_sales f
join core.dim_store s on s.store_key = f.store_key
where f.sale_date = current_date() - 1
group by f.sale_date, s.country, f.store_key, f.channel;
""",
    "04_mart/02_monthly_department": """\
create or replace table mart.monthly_department as
select
    date_trunc('month', f.sale_date)                                as month,
    p.department,
    sum(f.net_eur)                                                  as net_eur,
    sum(f.margin_eur)                                               as margin_eur,
    sum(f.net_eur) / nullif(lag(sum(f.net_eur), 12) over (partition by p.department order by month), 0) - 1 as growth
from core.fact_sales f
join core.dim_product p on p.sku = f.sku
group by 1, 2;
""",
    "04_mart/03_customer_value": """\
create or replace table mart.customer_value as
with bought as (
    select customer_key, min(sale_date) as first_sale, max(sale_date) as last_sale,
           count(distinct document_no) as documents, sum(net_eur) as net_eur, sum(margin_eur) as margin_eur
    from core.fact_sales
    where customer_key is not null
    group by customer_key
),
returned as (
    select customer_key, sum(refund_eur) as refund_eur from core.fact_returns group by customer_key
)
select
    c.customer_key,
    c.country,
    b.first_sale,
    b.last_sale,
    b.documents,
    b.net_eur - coalesce(r.refund_eur, 0)                           as net_eur,
    b.margin_eur - coalesce(r.refund_eur, 0)                        as value_eur,
    percent_rank() over (partition by c.country order by b.margin_eur) as rank_in_country
from core.dim_customer c
join bought b using (customer_key)
left join returned r using (customer_key)
where c.valid_to is null;
""",
    "04_mart/04_customer_segments": """\
-- Recency, frequency, value; the segment goes back to the dimension.
create or replace temporary table customer_scores as
select
    customer_key,
    ntile(5) over (order by last_sale)                              as recency,
    ntile(5) over (order by documents)                              as frequency,
    ntile(5) over (order by value_eur)                              as value
from mart.customer_value;

update core.dim_customer d
set segment = case
        when s.recency >= 4 and s.value >= 4 then 'champion'
        when s.frequency >= 4 then 'loyal'
        when s.recency <= 2 and s.value >= 4 then 'at risk'
        when s.recency <= 2 then 'sleeping'
        else 'regular'
    end
from customer_scores s
where s.customer_key = d.customer_key and d.valid_to is null;

insert into mart.segment_history (day, segment, customers, value_eur)
select current_date() - 1, d.segment, count(*), sum(v.value_eur)
from core.dim_customer d
join mart.customer_value v on v.customer_key = d.customer_key
where d.valid_to is null
group by d.segment;
""",
    "04_mart/05_baskets": """\
-- What is bought together: pairs of products on one document.
create or replace table mart.basket_pairs as
select
    a.sku                                                           as sku,
    b.sku                                                           as with_sku,
    count(distinct a.document_no)                                   as together,
    count(distinct a.document_no) / max(n.documents)                as support
from core.fact_sales a
join core.fact_sales b on b.channel = a.channel and b.document_no = a.document_no and b.sku > a.sku
cross join (select count(distinct document_no) as documents from core.fact_sales) n
group by a.sku, b.sku
having count(distinct a.document_no) >= 20;
""",
    "04_mart/06_stock_turnover": """\
create or replace table mart.stock_turnover as
select
    st.sku,
    st.store_key,
    avg(st.value_eur)                                               as average_value_eur,
    sum(sa.cost_eur)                                                as sold_cost_eur,
    div0(sum(sa.cost_eur), avg(st.value_eur))                       as turnover,
    iff(max(st.available) = 0, 'sold out', 'in stock')              as status
from core.fact_stock st
left join core.fact_sales sa on sa.sku = st.sku and sa.store_key = st.store_key and sa.sale_date = st.counted_on
group by st.sku, st.store_key;
""",
    "04_mart/07_supplier_scores": """\
create or replace table mart.supplier_scores as
select
    s.supplier_key,
    s.supplier_name,
    count(distinct p.po_no)                                         as orders,
    sum(p.cost_eur)                                                 as cost_eur,
    avg(p.days_late)                                                as average_delay,
    count_if(p.is_late) / count(*)                                  as late_rate,
    (select avg(r.stars)
     from staging.reviews r
     join core.dim_product d on d.sku = r.sku
     where d.supplier_name = s.supplier_name)                       as average_stars
from core.dim_supplier s
join core.fact_purchases p on p.supplier_key = s.supplier_key
group by s.supplier_key, s.supplier_name;
""",
    "04_mart/08_campaign_result": """\
create or replace table mart.campaign_result as
select
    c.campaign_key,
    c.campaign_title,
    c.channel,
    k.cost_eur,
    k.clicks,
    v.visits,
    s.net_eur,
    div0(s.net_eur, k.cost_eur)                                     as return_on_spend
from core.dim_campaign c
left join (
    select campaign_key, sum(cost_eur) as cost_eur, sum(clicks) as clicks from core.fact_campaigns group by campaign_key
) k on k.campaign_key = c.campaign_key
left join (
    select campaign_key, count(*) as visits from core.fact_visits group by campaign_key
) v on v.campaign_key = c.campaign_key
left join (
    select campaign_key, sum(net_eur) as net_eur from core.fact_sales group by campaign_key
) s on s.campaign_key = c.campaign_key;
""",
    "04_mart/09_cohorts": """\
create or replace table mart.cohorts as
with firsts as (
    select customer_key, date_trunc('month', min(sale_date)) as cohort from core.fact_sales group by customer_key
)
select *
from (
    select
        f.cohort,
        datediff('month', f.cohort, s.sale_date)                    as months,
        s.customer_key
    from firsts f
    join core.fact_sales s on s.customer_key = f.customer_key
)
pivot (count(customer_key) for months in (0, 1, 2, 3, 6, 12)) as p (cohort, m0, m1, m2, m3, m6, m12);
""",
    "04_mart/10_budget_check": """\
create or replace table mart.budget_check as
select
    b.month,
    b.country,
    b.department,
    b.budget_eur,
    coalesce(a.net_eur, 0)                                          as actual_eur,
    actual_eur - b.budget_eur                                       as difference_eur
from core.fact_budget b
left join (
    select date_trunc('month', f.sale_date) as month, s.country, p.department, sum(f.net_eur) as net_eur
    from core.fact_sales f
    join core.dim_store s on s.store_key = f.store_key
    join core.dim_product p on p.sku = f.sku
    group by all
) a on a.month = b.month and a.country = b.country and a.department = b.department;
""",
    "05_report/01_v_sales": """\
create or replace view report.v_sales as
select
    f.sale_date, d.year_month, d.is_weekend, f.channel, s.store_name, s.country, p.title as product, p.department,
    c.segment, f.quantity, f.net_eur, f.margin_eur
from core.fact_sales f
join core.dim_date d on d.day = f.sale_date
join core.dim_store s on s.store_key = f.store_key
join core.dim_product p on p.sku = f.sku
left join core.dim_customer c on c.customer_key = f.customer_key;
""",
    "05_report/02_v_management": """\
create or replace secure view report.v_management (month, department, net_eur, margin_eur, budget_eur, reached) as
select m.month, m.department, m.net_eur, m.margin_eur, sum(b.budget_eur), div0(m.net_eur, sum(b.budget_eur))
from mart.monthly_department m
left join mart.budget_check b on b.month = m.month and b.department = m.department
group by m.month, m.department, m.net_eur, m.margin_eur;
""",
    "05_report/03_v_customer_card": """\
create or replace view report.v_customer_card as
select
    c.customer_id, c.full_name, c.segment, v.value_eur, v.last_sale,
    (select listagg(distinct t.topic, ', ') within group (order by t.topic)
     from core.fact_tickets t where t.customer_key = c.customer_key) as ticket_topics
from core.dim_customer c
left join mart.customer_value v on v.customer_key = c.customer_key
where c.valid_to is null;
""",
    "05_report/04_v_sold_out": """\
create or replace view report.v_sold_out as
select t.sku, p.title, t.store_key, s.store_name, t.turnover
from mart.stock_turnover t
join core.dim_product p on p.sku = t.sku and p.active
join core.dim_store s on s.store_key = t.store_key
where t.status = 'sold out';
""",
    "05_report/05_daily_totals": """\
create or replace materialized view report.daily_totals as
select day, sum(net_eur) as net_eur, sum(margin_eur) as margin_eur, sum(documents) as documents
from mart.daily_sales
group by day;
""",
    "05_report/06_exports": """\
-- What partners get.
create stage if not exists report.partner_stage url = 's3://harbour-pine-partners/outgoing/';

copy into @report.partner_stage/suppliers/
from (select supplier_name, orders, average_delay, late_rate from mart.supplier_scores)
file_format = (type = parquet)
overwrite = true;

copy into 's3://harbour-pine-audit/sales/'
from report.v_sales
storage_integration = exchange
file_format = (type = csv compression = gzip)
header = true;
""",
    "06_operations/01_refresh_products": """\
create or replace procedure operations.refresh_products()
returns varchar
language sql
as
$$
declare
    changed number default 0;
begin
    create or replace temporary table changes as
        select s.sku, s.list_price, d.list_price as old_price
        from staging.products s
        join core.dim_product d on d.sku = s.sku
        where s.list_price <> d.list_price;

    insert into core.price_history (sku, changed_on, old_price, new_price)
        select sku, current_date(), old_price, list_price from changes;

    select count(*) into :changed from changes;
    return changed || ' prices';
end;
$$;
""",
    "06_operations/02_close_month": """\
create or replace procedure operations.close_month(closing_month date)
returns number
language sql
as
$$
declare
    countries cursor for select distinct country from core.dim_store where country is not null;
    total number default 0;
begin
    for store in countries do
        let land varchar := store.country;
        insert into mart.closed_months (month, country, net_eur, margin_eur, closed_at)
            select date_trunc('month', d.day), d.country, sum(d.net_eur), sum(d.margin_eur), current_timestamp()
            from mart.daily_sales d
            where date_trunc('month', d.day) = :closing_month and d.country = :land
            group by 1, 2;
        total := total + 1;
    end for;
    return total;
end;
$$;
""",
    "06_operations/03_rebuild_segments": """\
create or replace procedure operations.rebuild(target varchar)
returns varchar
language sql
execute as caller
as
$$
begin
    execute immediate 'create or replace table mart.customer_value_new as select * from mart.customer_value';
    execute immediate 'alter table mart.customer_value_new swap with mart.customer_value';
    return 'done';
end;
$$;
""",
    "06_operations/04_streams_and_tasks": """\
create or replace stream operations.order_changes on table landing.web_orders;

create or replace task operations.open_orders
    warehouse = load_wh
    schedule = '15 minute'
    when system$stream_has_data('operations.order_changes')
as
insert into operations.open_orders (order_id, customer_id, ordered_at, waiting_minutes)
select order_id, customer_id, ordered_at, datediff('minute', ordered_at, current_timestamp())
from operations.order_changes
where status = 'open' and metadata$action = 'INSERT';
""",
}
