update employees e
set (e.job_id, e.salary) = (select j.job_id, j.min_salary from jobs j where j.title = e.title)
where e.department_id = 10
