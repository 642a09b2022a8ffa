create table o as
select coalesce(t.a, (select max(d.a) from defaults d where d.kind = t.kind)) as a,
       case when t.id in (select b.id from blocked b) then 'no' else t.flag end as flag
from t
