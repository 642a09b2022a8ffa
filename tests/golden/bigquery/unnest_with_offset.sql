create table d.o as
select t.id, item, pos
from d.t
cross join unnest(t.items) as item with offset as pos
