merge into t
using (select id, v from s where k = 1) x
on t.id = x.id
when matched then update set v = x.v
