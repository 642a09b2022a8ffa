merge into t
using s on t.id = s.id
when matched then update set t.a = s.a
when not matched then insert (id, a) values (s.id, s.a)
