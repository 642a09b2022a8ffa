create table o as
select d.day, count(distinct d.visitor) as visitors, avg(d.seconds) as avg_seconds
from visits d
group by d.day
