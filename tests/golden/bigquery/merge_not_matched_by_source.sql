merge d.target t
using d.source s on t.id = s.id
when matched then update set v = s.v
when not matched by target then insert (id, v) values (id, v)
when not matched by source and t.active then delete
