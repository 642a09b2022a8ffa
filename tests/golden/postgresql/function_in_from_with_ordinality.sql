create table o as
select t.id, u.v, u.n
from t
cross join lateral unnest(t.vs) with ordinality as u (v, n)
