create table d.o as
select *
from (select product, quarter, amount from d.sales)
pivot (sum(amount) as total, avg(amount) as mean for quarter in ('Q1', 'Q2'))
