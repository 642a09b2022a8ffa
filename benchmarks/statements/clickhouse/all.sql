insert into mart.daily_hits (day, page, hits, users)
select toDate(ts) as day, page, count() as hits, uniqExact(user_id) as users
from raw.hits
where ts >= now() - interval 1 day
group by day, page;

create view mart.v_latency as
select service, quantile(0.95)(duration_ms) as p95, avg(duration_ms) as mean, countIf(status >= 500) as errors
from raw.requests
where day = today()
group by service;

insert into mart.tags (id, tag)
select id, tag from raw.documents array join tags as tag where length(tag) > 2;

insert into mart.enriched
select h.user_id, h.ts, u.country, u.plan
from raw.hits h
any left join dim.users u on u.user_id = h.user_id
prewhere h.ts > '2024-01-01 00:00:00'
where h.page != '';

create table mart.top_pages engine = MergeTree order by (day, page) as
select toDate(ts) as day, page, count() as n
from raw.hits
group by day, page
order by day, n desc
limit 10 by day;

insert into mart.sessions (user_id, started, ended, pages)
select user_id, min(ts), max(ts), groupArray(page)
from (select user_id, ts, page, sum(new) over (partition by user_id order by ts) as session
      from (select user_id, ts, page, if(ts - lagInFrame(ts) over (partition by user_id order by ts) > 1800, 1, 0) as new from raw.hits))
group by user_id, session;

insert into mart.prices_last
select sku, argMax(price, ts) as price, max(ts) as at from raw.prices group by sku having price > 0;

select dictGet('geo', 'country', ip) as country, sum(bytes) as traffic, bar(sum(bytes), 0, 1000000, 20)
from raw.flows
where day between '2024-05-01' and '2024-05-07'
group by country with totals
order by traffic desc
limit 20;

with lower(trimBoth(q)) as term
select term, count() as n, uniq(user_id) as users from raw.searches group by term order by n desc limit 100;
