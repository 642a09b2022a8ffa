create view v as
select region
from sales
group by region, country
