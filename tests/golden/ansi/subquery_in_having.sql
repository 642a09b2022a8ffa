create view v as
select g, sum(x) as s
from t
group by g
having sum(x) > (select avg(l.x) from limits l)
