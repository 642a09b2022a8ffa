create materialized view sales_mv refresh fast on commit as
select s.region, sum(s.amount) as amount, count(*) as n
from sales s
group by s.region
