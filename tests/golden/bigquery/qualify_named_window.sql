create table d.o as
select id, v
from d.t
where true
qualify rank() over w = 1
window w as (partition by g order by ts)
