create table o as
select t.id
from t
cross join generate_series(1, 3) as g (n)
where g.n > t.low
