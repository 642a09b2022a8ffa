with c as (select id, parent, name from nodes)
insert into pairs (child, parent)
select a.name, b.name
from c a
join c b on b.id = a.parent
