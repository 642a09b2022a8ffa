create view v as
select e.name, g.grade
from employees e
join grades g on e.salary between g.low and g.high
