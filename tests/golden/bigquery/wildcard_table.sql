create table d.o as
select e.user_id, _table_suffix as day
from `p.d.events_*` e
where _table_suffix between '20240101' and '20240131'
