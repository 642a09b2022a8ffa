insert into o (id, name, total)
select id, c.name, s.total
from customers c
join sales s using (id)
