create view v as
select straight_join a.id, if(b.flag, b.x, a.x) as x
from a
inner join b on a.id = b.id
