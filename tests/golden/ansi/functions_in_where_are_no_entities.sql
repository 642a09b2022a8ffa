insert into o (id)
select t.id
from t
where upper(t.name) like 'A%' and coalesce(t.x, t.y) > 0
