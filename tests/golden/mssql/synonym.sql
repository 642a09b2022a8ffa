create synonym dbo.emp for hr.dbo.employees;
insert into o (n) select name from dbo.emp;
