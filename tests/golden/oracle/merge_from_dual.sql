merge into counters c
using dual on (c.name = 'x')
when matched then update set c.n = c.n + 1
when not matched then insert (name, n) values ('x', 1)
