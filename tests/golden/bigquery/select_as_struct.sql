create view d.v as
select t.id, (select as struct u.a, u.b from d.u where u.id = t.id) as detail
from d.t
