create view v123 as
select a,b from employee a, name b where employee.id = name.id
