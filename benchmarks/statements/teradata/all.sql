insert into dwh.acct (acct_id, cust_id, open_dt, balance)
sel a.acct_id, a.cust_id, a.open_dt, zeroifnull(a.balance)
from stg.acct a
where a.load_id = 4711;

create volatile table vt_active as (
  select c.cust_id, max(t.txn_dt) as last_txn, sum(t.amt) as amt
  from dwh.cust c
  inner join dwh.txn t on t.cust_id = c.cust_id
  where t.txn_dt > date '2024-01-01'
  group by c.cust_id
) with data primary index (cust_id) on commit preserve rows;

insert into mart.active_cust (cust_id, last_txn, amt, band)
select v.cust_id, v.last_txn, v.amt, case when v.amt > 10000 then 'H' when v.amt > 1000 then 'M' else 'L' end
from vt_active v;

merge into dwh.cust as t
using stg.cust as s on t.cust_id = s.cust_id
when matched then update set cust_name = s.cust_name, segment = s.segment
when not matched then insert (cust_id, cust_name, segment) values (s.cust_id, s.cust_name, s.segment);

insert into mart.last_status (acct_id, status_cd, status_ts)
select acct_id, status_cd, status_ts
from dwh.acct_status
qualify row_number() over (partition by acct_id order by status_ts desc) = 1;

replace view mart.v_cust_value as
select c.cust_id, c.segment, sum(b.balance) as total_balance, total_balance * 0.01 as expected_margin
from dwh.cust c
left join dwh.balance b on b.cust_id = c.cust_id and b.bal_dt = current_date - 1
group by 1, 2;

delete from stg.txn where txn_id in (select txn_id from dwh.txn where load_id = 4711);

create multiset table mart.txn_month as (
  select extract(year from txn_dt) * 100 + extract(month from txn_dt) as yyyymm, txn_type, count(*) as n, sum(amt) as amt,
         sum(amt) over (partition by txn_type order by yyyymm rows unbounded preceding) as running
  from dwh.txn
  group by 1, 2
) with data;

update dwh.acct
set branch_id = 99
where branch_id in (select b.branch_id from dwh.branch b where b.closed_dt is not null);

select a.acct_id, a.balance, rank() over (order by a.balance desc) as r, csum(a.balance, a.acct_id)
from dwh.acct a
qualify r <= 100;
