merge into t
using (select id from s where gone = 1) x
on t.id = x.id
when matched then delete
