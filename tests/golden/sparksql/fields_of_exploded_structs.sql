create table o as
select k, i.p
from (select k, collect_list(struct(a as p, b as q)) as items from t group by k)
lateral view explode(items) e as i
where i.q > 1;
