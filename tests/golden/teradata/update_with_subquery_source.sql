update db1.t
from (select id, max(v) as v from db1.s group by id) x
set v = x.v
where db1.t.id = x.id
