insert overwrite table ods.page_view partition (dt = '2024-05-01')
select v.view_time, v.user_id, v.page_url, v.referrer_url, v.ip
from raw.page_view_stg v
where v.country = 'US' and v.dt = '2024-05-01';

from raw.events e
insert overwrite table ods.clicks partition (dt)
  select e.user_id, e.target, e.ts, e.dt where e.kind = 'click'
insert overwrite table ods.views partition (dt)
  select e.user_id, e.page, e.ts, e.dt where e.kind = 'view';

insert into table ods.order_item
select o.order_id, i.sku, i.qty
from raw.orders o
lateral view explode(o.items) x as i
where size(o.items) > 0;

create table dw.user_tags stored as orc as
select u.user_id, concat_ws(',', collect_set(t.tag)) as tags, count(distinct t.tag) as n
from ods.users u
left outer join ods.tags t on t.user_id = u.user_id
group by u.user_id;

insert overwrite table dw.session_daily partition (dt = '2024-05-01')
select s.user_id, count(1), sum(s.seconds), max(named.k1), percentile_approx(s.seconds, 0.5)
from ods.sessions s
lateral view json_tuple(s.props, 'browser', 'os') named as k1, k2
where s.dt = '2024-05-01'
group by s.user_id;

insert overwrite table dw.new_users partition (dt = '2024-05-01')
select a.user_id, a.first_seen
from (select user_id, min(ts) as first_seen from ods.views where dt = '2024-05-01' group by user_id) a
left join dw.users b on a.user_id = b.user_id
where b.user_id is null;

create view dw.v_retention as
select a.dt as day0, datediff(b.dt, a.dt) as day_no, count(distinct b.user_id) as users
from dw.new_users a
join ods.views b on a.user_id = b.user_id
where b.dt >= a.dt and datediff(b.dt, a.dt) <= 30
group by a.dt, datediff(b.dt, a.dt);

insert overwrite table dw.page_rank
select page, views, rank() over (order by views desc) as place, sum(views) over () as total
from (select page, count(*) as views from ods.views where dt between '2024-04-01' and '2024-04-30' group by page) t;

insert overwrite table dw.device_map
select user_id, m['os'] as os, m['model'] as model, nvl(get_json_object(extra, '$.carrier'), 'none') as carrier
from (select user_id, str_to_map(device, ';', '=') as m, extra from ods.devices) d
distribute by user_id sort by os;

insert into table dw.blocked
select v.user_id, v.ip from ods.views v left semi join ref.blocked_ips b on (v.ip = b.ip) where v.dt = '2024-05-01';
