create materialized view mart.account_overview as
select a.account_id, a.iban, c.name as owner, a.balance,
       count(p.payment_id) filter (where p.amount > 0) as credits,
       count(p.payment_id) filter (where p.amount < 0) as debits,
       sum(p.amount) filter (where p.paid_at >= date_trunc('month', now())) as month_to_date
from stage.accounts a
join stage.customers c on c.customer_id = a.customer_id
left join stage.payments p on p.account_id = a.account_id
group by a.account_id, a.iban, c.name, a.balance;

create view mart.v_org as
with recursive tree as (
  select e.employee_id, e.name, e.manager_id, 1 as depth, e.name::text as path
  from hr.employees e
  where e.manager_id is null
  union all
  select e.employee_id, e.name, e.manager_id, t.depth + 1, t.path || ' > ' || e.name
  from hr.employees e
  join tree t on t.employee_id = e.manager_id
)
select employee_id, name, depth, path from tree;

create table mart.daily_balance as
select d.day::date as day, a.account_id,
       coalesce(sum(p.amount) over (partition by a.account_id order by d.day), 0) as balance
from generate_series('2024-01-01'::date, current_date, interval '1 day') as d (day)
cross join stage.accounts a
left join stage.payments p on p.account_id = a.account_id and p.paid_at::date = d.day;

create view mart.v_top_products as
select c.name as category, x.product_id, x.revenue
from stage.categories c
cross join lateral (
  select l.product_id, sum(l.quantity * l.price) as revenue
  from stage.order_lines l
  join stage.products p on p.product_id = l.product_id
  where p.category_id = c.category_id
  group by l.product_id
  order by revenue desc
  limit 5
) x;

create table mart.suspicious as
select p.payment_id, p.account_id, p.amount, s.avg_amount, s.sd_amount
from stage.payments p
join (
  select account_id, avg(amount) as avg_amount, stddev(amount) as sd_amount
  from stage.payments
  group by account_id
  having count(*) > 10
) s on s.account_id = p.account_id
where abs(p.amount - s.avg_amount) > 3 * s.sd_amount
   or exists (select 1 from ref.watchlist w where w.iban = p.counterparty_iban);

create view mart.v_revenue_cube as
select coalesce(region, 'all') as region, coalesce(channel, 'all') as channel, sum(amount) as amount, grouping(region, channel) as level
from mart.sales
group by cube (region, channel);

create table mart.customer_json as
select c.customer_id, jsonb_build_object('name', c.name, 'orders', jsonb_agg(jsonb_build_object('id', o.order_id, 'total', o.total) order by o.ordered_at)) as doc
from stage.customers c
left join stage.orders o on o.customer_id = c.customer_id
group by c.customer_id, c.name;

select c.country, percentile_cont(0.5) within group (order by o.total) as median_total, mode() within group (order by o.channel) as usual_channel
from stage.orders o
join stage.customers c using (customer_id)
where o.ordered_at >= now() - interval '90 days'
group by c.country
having count(*) >= 30
order by median_total desc;

create view mart.v_sla as
select t.ticket_id, t.opened_at, t.closed_at, p.name as priority,
       t.closed_at - t.opened_at as duration,
       extract(epoch from t.closed_at - t.opened_at) / 3600 > p.max_hours as breached,
       case when t.closed_at is null and now() - t.opened_at > make_interval(hours => p.max_hours) then 'overdue' else 'fine' end as state
from stage.tickets t
join ref.priorities p on p.priority_id = t.priority_id
where (t.team_id, t.product_id) in (select team_id, product_id from ref.contracts where now() between starts_at and ends_at);
