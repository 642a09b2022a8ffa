update t
set t.name = s.name
from dbo.target t
join dbo.source s on s.id = t.id
where s.changed = 1
