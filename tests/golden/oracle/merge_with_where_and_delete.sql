merge into bonuses b
using (select employee_id, salary, department_id from employees where department_id = 80) s
on (b.employee_id = s.employee_id)
when matched then
  update set b.bonus = b.bonus + s.salary * .01
  where s.salary < 8000
  delete where (s.salary > 8000)
when not matched then
  insert (b.employee_id, b.bonus) values (s.employee_id, s.salary * .01)
  where (s.salary <= 8000)
