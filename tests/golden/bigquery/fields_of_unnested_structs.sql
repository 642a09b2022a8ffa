create table o as
with q as (select k, array_agg(struct(a as p, b as q) order by s) as items from t group by k)
select k, i.p from q, unnest(items) as i where i.q > 1;
