insert into d.o (id, label)
select t.id, m.label
from d.t
join unnest([struct(1 as k, 'one' as label), struct(2, 'two')]) m on m.k = t.kind
