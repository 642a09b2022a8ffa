create view v as
select g, array_agg(x order by y) as xs, string_agg(name, ', ' order by name) as names
from t
group by g
