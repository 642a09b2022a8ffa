merge into target g
using (
  select k, max(v) as v from source where d = current_date group by k
) s
on (g.k = s.k)
when matched then update set v = s.v, changed = current_timestamp
when not matched then insert (k, v) values (s.k, s.v)
