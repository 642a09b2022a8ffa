create view v as
select e.ename, d.dname
from emp e, dept d
where e.deptno = d.deptno (+)
