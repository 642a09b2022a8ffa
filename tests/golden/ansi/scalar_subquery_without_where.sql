insert into o (id, latest)
select t.id, (select u.stamp from u)
from t
