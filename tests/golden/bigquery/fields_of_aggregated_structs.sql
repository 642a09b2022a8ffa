create table o as
select st.m, items[offset(0)].q as q
from (select k, struct(max(a) as m, min(b) as n) as st, array_agg(struct(c as p, d as q) order by e limit 1) as items from t group by k);
