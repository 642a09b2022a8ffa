create view v as
select a.x, c.z
from a
left join (b inner join c on b.cid = c.id) on a.bid = b.id
