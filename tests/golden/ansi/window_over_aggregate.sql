create view v as
select g, sum(x) as s, rank() over (order by sum(x) desc) as place
from t
group by g
