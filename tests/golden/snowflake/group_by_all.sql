create table o as
select region, upper(city) as city, sum(amount) as total
from sales
group by all
