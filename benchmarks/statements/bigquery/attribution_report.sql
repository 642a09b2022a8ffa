create or replace table report.attribution as
with touches as (
  select e.user_id, e.at, coalesce(nullif(e.utm_source, ''), 'direct') as source, coalesce(e.utm_medium, 'none') as medium, e.utm_campaign as campaign
  from stage.events e
  where e.name = 'session_start'
),
orders as (
  select o.order_id, o.user_id, o.ordered_at, o.total, o.currency
  from stage.orders o
  where o.status = 'complete'
),
rates as (
  select currency, day, rate from ref.rates
),
orders_eur as (
  select o.order_id, o.user_id, o.ordered_at, o.total * ifnull(r.rate, 1) as total_eur
  from orders o
  left join rates r on r.currency = o.currency and r.day = date(o.ordered_at)
),
paths as (
  select o.order_id, o.total_eur, o.ordered_at, t.source, t.medium, t.campaign, t.at as touched_at,
         row_number() over (partition by o.order_id order by t.at) as touch_no,
         row_number() over (partition by o.order_id order by t.at desc) as touch_no_back,
         count(*) over (partition by o.order_id) as touches,
         timestamp_diff(o.ordered_at, t.at, hour) as hours_before
  from orders_eur o
  join touches t on t.user_id = o.user_id and t.at <= o.ordered_at and t.at > timestamp_sub(o.ordered_at, interval 30 day)
),
weights as (
  select p.*,
         if(touch_no = 1, 1.0, 0.0) as first_weight,
         if(touch_no_back = 1, 1.0, 0.0) as last_weight,
         1.0 / touches as linear_weight,
         case
           when touches = 1 then 1.0
           when touches = 2 then 0.5
           when touch_no = 1 or touch_no_back = 1 then 0.4
           else 0.2 / (touches - 2)
         end as position_weight,
         pow(0.5, hours_before / 168) as decay_raw
  from paths p
),
decayed as (
  select w.*, w.decay_raw / sum(w.decay_raw) over (partition by w.order_id) as decay_weight from weights w
),
by_campaign as (
  select date_trunc(date(d.ordered_at), week) as week, d.source, d.medium, d.campaign,
         sum(d.first_weight * d.total_eur) as first_eur,
         sum(d.last_weight * d.total_eur) as last_eur,
         sum(d.linear_weight * d.total_eur) as linear_eur,
         sum(d.position_weight * d.total_eur) as position_eur,
         sum(d.decay_weight * d.total_eur) as decay_eur,
         count(distinct d.order_id) as orders
  from decayed d
  group by 1, 2, 3, 4
),
costs as (
  select date_trunc(c.day, week) as week, c.source, c.medium, c.campaign, sum(c.cost) as cost_eur, sum(c.clicks) as clicks
  from raw.ad_costs c
  group by 1, 2, 3, 4
),
joined as (
  select coalesce(b.week, c.week) as week, coalesce(b.source, c.source) as source, coalesce(b.medium, c.medium) as medium,
         coalesce(b.campaign, c.campaign) as campaign,
         b.first_eur, b.last_eur, b.linear_eur, b.position_eur, b.decay_eur, b.orders, c.cost_eur, c.clicks
  from by_campaign b
  full join costs c on c.week = b.week and c.source = b.source and c.medium = b.medium and c.campaign = b.campaign
)
select j.week, j.source, j.medium, j.campaign, j.orders, j.clicks, j.cost_eur,
       j.first_eur, j.last_eur, j.linear_eur, j.position_eur, j.decay_eur,
       safe_divide(j.decay_eur, j.cost_eur) as return_on_spend,
       safe_divide(j.cost_eur, j.orders) as cost_per_order,
       rank() over (partition by j.week order by j.decay_eur desc) as place,
       sum(j.decay_eur) over (partition by j.source, j.medium, j.campaign order by j.week) as running_eur
from joined j
where j.week is not null;
