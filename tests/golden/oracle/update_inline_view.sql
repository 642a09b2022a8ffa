update (
  select e.salary as old_salary, n.salary as new_salary
  from employees e
  join new_salaries n on n.id = e.id
)
set old_salary = new_salary
