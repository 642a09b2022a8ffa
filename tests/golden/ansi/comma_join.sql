create view v as
select a.x, b.y
from a, b
where a.id = b.id and a.kind = 'new'
