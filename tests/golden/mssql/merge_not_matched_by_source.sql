merge dbo.target with (holdlock) as t
using dbo.source as s on t.id = s.id
when matched and t.v <> s.v then update set t.v = s.v
when not matched by target then insert (id, v) values (s.id, s.v)
when not matched by source then delete;
