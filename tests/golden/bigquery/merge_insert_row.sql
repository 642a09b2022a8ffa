-- metadata: {"d.s": ["id", "a"], "d.t": ["id", "a"]}
merge d.t t
using d.s s on t.id = s.id
when not matched then insert row
