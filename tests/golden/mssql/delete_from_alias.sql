delete t
from dbo.target as t
where not exists (select 1 from dbo.source s where s.id = t.id)
