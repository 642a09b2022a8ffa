create table o as
select *
from (select store, m, v from k)
pivot (sum(v) for m in ('x' as x, 'y' as y))
