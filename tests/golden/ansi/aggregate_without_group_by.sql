create view v as
select sum(sal) as total, max(hired) as latest
from emp
where city = 'NYC'
