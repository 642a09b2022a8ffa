merge into target t
using (select id, sum(v) as v from stage group by id) s
on t.id = s.id
when matched and s.v = 0 then delete
when matched then update set v = t.v + s.v
when not matched then insert (id, v) values (s.id, s.v)
