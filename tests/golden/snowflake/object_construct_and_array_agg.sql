create table o as
select t.g, array_agg(object_construct('id', t.id, 'v', t.v)) within group (order by t.ts) as items
from t
group by t.g
