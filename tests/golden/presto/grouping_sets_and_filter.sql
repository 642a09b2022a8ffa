create table o as
select region, count(id) filter (where ok) as n
from t
group by grouping sets ((region), ())
