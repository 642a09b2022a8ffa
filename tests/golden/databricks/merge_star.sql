-- metadata: {"t": ["id", "a", "b"], "s": ["id", "a", "b"]}
merge into t
using s on t.id = s.id
when matched then update set *
when not matched then insert *
