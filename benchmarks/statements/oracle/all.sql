insert into dwh.stg_policy (policy_no, holder_id, product_code, start_date, premium)
select p.policy_no, p.holder_id, nvl(p.product_code, 'UNK'), to_date(p.start_txt, 'YYYYMMDD'), to_number(p.premium_txt)
from src.policy_file p
where p.batch_id = (select max(batch_id) from src.batches where status = 'OK');

merge into dwh.dim_holder h
using (
  select s.holder_id, s.name, s.birth_date, a.city, a.zip
  from src.holder s
  left join src.address a on a.holder_id = s.holder_id and a.kind = 'HOME'
) s
on (h.holder_id = s.holder_id)
when matched then update set h.name = s.name, h.city = s.city, h.zip = s.zip, h.changed = sysdate
when not matched then insert (holder_id, name, birth_date, city, zip, created) values (s.holder_id, s.name, s.birth_date, s.city, s.zip, sysdate);

update dwh.stg_policy p
set (p.agent_id, p.branch_id) = (select a.agent_id, a.branch_id from src.agents a where a.agent_code = p.agent_code)
where p.agent_id is null;

delete from dwh.stg_claim c
where exists (select 1 from dwh.fct_claim f where f.claim_no = c.claim_no and f.version_no >= c.version_no);

insert all
  into dwh.claim_paid (claim_no, amount, paid_on) values (claim_no, paid, event_date)
  into dwh.claim_reserve (claim_no, amount, valid_on) values (claim_no, reserve, event_date)
select c.claim_no, sum(c.paid) as paid, sum(c.reserve) as reserve, trunc(c.event_ts) as event_date
from src.claim_events c
group by c.claim_no, trunc(c.event_ts);

create table dwh.agent_tree as
select a.agent_id, a.name, level as depth, connect_by_root a.name as head, sys_connect_by_path(a.name, '/') as path
from src.agents a
start with a.leader_id is null
connect by prior a.agent_id = a.leader_id;

create view dwh.v_policy_holder as
select p.policy_no, h.name, b.branch_name, r.region_name
from dwh.stg_policy p, dwh.dim_holder h, dwh.branch b, dwh.region r
where p.holder_id = h.holder_id
  and p.branch_id = b.branch_id (+)
  and b.region_id = r.region_id (+)
  and p.start_date <= sysdate;

create table dwh.premium_by_product as
select *
from (select product_code, extract(year from start_date) as y, premium from dwh.stg_policy)
pivot (sum(premium) as total, count(premium) as n for y in (2022 as y22, 2023 as y23, 2024 as y24));

create table dwh.limits_long as
select policy_no, limit_kind, limit_value
from src.policy_limits
unpivot (limit_value for limit_kind in (fire as 'FIRE', water as 'WATER', theft as 'THEFT'));

create view dwh.v_last_claim as
select policy_no,
       max(claim_no) keep (dense_rank last order by event_date) as last_claim,
       max(amount) keep (dense_rank last order by event_date) as last_amount,
       listagg(claim_no, ', ') within group (order by event_date) as all_claims
from dwh.fct_claim
group by policy_no;

create table dwh.loss_ratio as
with premium as (
  select policy_no, sum(amount) as earned from dwh.fct_premium where booked_on between date '2024-01-01' and date '2024-12-31' group by policy_no
),
losses as (
  select policy_no, sum(paid + reserve) as incurred from dwh.fct_claim where event_date >= date '2024-01-01' group by policy_no
)
select p.product_code, sum(pr.earned) as earned, sum(nvl(l.incurred, 0)) as incurred,
       round(sum(nvl(l.incurred, 0)) / nullif(sum(pr.earned), 0), 4) as ratio
from dwh.stg_policy p
join premium pr on pr.policy_no = p.policy_no
left join losses l on l.policy_no = p.policy_no
group by rollup (p.product_code);

select d.department_name, e.last_name, e.salary,
       e.salary - avg(e.salary) over (partition by e.department_id) as above_average,
       dense_rank() over (partition by e.department_id order by e.salary desc) as place
from hr.employees e
join hr.departments d on d.department_id = e.department_id
where e.hire_date > add_months(sysdate, -60) and rownum <= 1000;

insert into dwh.gaps (policy_no, gap_from, gap_to)
select policy_no, end_date + 1, next_start - 1
from (
  select policy_no, end_date, lead(start_date) over (partition by policy_no order by start_date) as next_start
  from dwh.policy_period
)
where next_start > end_date + 1;
