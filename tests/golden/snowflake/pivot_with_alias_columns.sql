-- metadata: {"monthly_sales": ["empid", "amount", "month"]}
create table o as
select *
from monthly_sales
pivot (sum(amount) for month in ('JAN', 'FEB', 'MAR')) as p (emp_id, jan, feb, mar)
