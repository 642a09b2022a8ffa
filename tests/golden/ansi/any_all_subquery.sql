create view v as
select a.x
from a
where a.y > all (select b.y from b) or a.z = any (select c.z from c where c.ok = 1)
