create table dept_totals as
select deptno, count(*) as num_emp, sum(sal) as sal_sum
from scott.emp
where city = 'NYC'
group by deptno
