create table d.o as
select t.id, array(select x.name from unnest(t.items) x where x.qty > 1) as names
from d.t
