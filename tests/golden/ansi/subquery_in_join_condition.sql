create view v as
select a.x, b.y
from a
join b on b.id = a.id and b.d = (select max(m.d) from m)
