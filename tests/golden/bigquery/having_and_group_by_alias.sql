create table d.o as
select date_trunc(ts, day) as day, sum(x) as total
from d.t
group by day
having total > 10
