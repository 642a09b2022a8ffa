select round(salary) as sal from scott.emp
