insert into dim_supplier (supplier_id, name, nation, region)
select s.s_suppkey, s.s_name, n.n_name, r.r_name
from supplier s
join nation n on n.n_nationkey = s.s_nationkey
join region r on r.r_regionkey = n.n_regionkey;

create table supplier_rank as
select ps.ps_suppkey, sum(ps.ps_supplycost * ps.ps_availqty) as value,
       rank() over (order by sum(ps.ps_supplycost * ps.ps_availqty) desc) as place
from partsupp ps
group by ps.ps_suppkey;

create view late_lines as
select l.l_orderkey, l.l_linenumber, l.l_receiptdate, l.l_commitdate
from lineitem l
where l.l_receiptdate > l.l_commitdate
  and exists (select 1 from orders o where o.o_orderkey = l.l_orderkey and o.o_orderstatus = 'F')
  and not exists (select 1 from lineitem x where x.l_orderkey = l.l_orderkey and x.l_suppkey <> l.l_suppkey);

merge into stock s
using (select part_id, sum(qty) as qty from movements where booked = 0 group by part_id) m on (s.part_id = m.part_id)
when matched then update set qty = s.qty + m.qty
when not matched then insert (part_id, qty) values (m.part_id, m.qty);

update employees set salary = salary * 1.03, reviewed = current_date where grade in (select grade from raises where raise_year = 2024);

insert into ledger (account, booked_on, debit, credit)
select debit_account, booked_on, amount, 0 from journal
union all
select credit_account, booked_on, 0, amount from journal;

create view customer_months as
select c.id, c.name, extract(year from o.ordered) as y, extract(month from o.ordered) as m, sum(o.amount) as amount
from customers c
left join orders o on o.customer_id = c.id
group by c.id, c.name, extract(year from o.ordered), extract(month from o.ordered);

delete from sessions where last_seen < current_date - interval '30' day and user_id not in (select id from users where keep_sessions = 1);

select p.category, count(*) as n, min(p.price) as low, max(p.price) as high, avg(p.price) as mean
from products p
where p.discontinued = 0
group by p.category
having count(*) > 3
order by mean desc
fetch first 10 rows only;
