insert into missing (id)
select s.id
from stage s
where not exists (select 1 from target g where g.id = s.id)
