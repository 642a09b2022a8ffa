create table o as
select t.id, x.v
from t
cross join lateral (
  select s.v from s where s.tid = t.id order by s.d desc limit 1
) x
