create view d.v as
select g, countif(x > 1) as n, any_value(y having max z) as y, array_agg(w ignore nulls order by z limit 1)[offset(0)] as w
from d.t
group by g
