create view managers as
select e.name as employee, m.name as manager
from emp e
left join emp m on m.id = e.manager_id
