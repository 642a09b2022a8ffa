create view v as
select g, 100 * sum(a) / nullif(sum(b), 0) as pct
from t
group by g
