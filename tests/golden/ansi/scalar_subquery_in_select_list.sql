create table o as
select t.id, (select u.label from u where u.code = t.code) as label
from t
