create table o as
select region, product, sum(amount) as total
from sales
group by grouping sets ((region, product), (region), ())
