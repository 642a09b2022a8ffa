create table o as
select a.year, a.month, sum(a.amount) as total, count(a.id) as n
from accounts a
group by rollup (a.year, a.month), cube (a.branch)
