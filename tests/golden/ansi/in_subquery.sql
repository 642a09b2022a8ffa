insert into o (id)
select t.id
from t
where t.kind in (select k.code from kinds k where k.active = 1)
