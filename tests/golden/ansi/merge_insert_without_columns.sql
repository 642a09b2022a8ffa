-- metadata: {"t": ["id", "a"], "s": ["id", "a"]}
merge into t
using s on t.id = s.id
when not matched then insert values (s.id, s.a)
