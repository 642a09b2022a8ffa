select round(coalesce(salary, bonus) * 1.2, 2) as pay
from emp
