create view v_emp (ename) as
select a.emp_name "eName"
from scott.emp a
where sal > 1000
