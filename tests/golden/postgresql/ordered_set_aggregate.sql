create view v as
select g, percentile_cont(0.5) within group (order by x) as median, mode() within group (order by kind) as usual
from t
group by g
