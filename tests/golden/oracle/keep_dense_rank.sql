create view v as
select dept, max(salary) keep (dense_rank first order by hired) as first_salary
from emp
group by dept
