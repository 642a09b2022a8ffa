create view v as
select upper(region), min(price) as low
from sales
group by 1
