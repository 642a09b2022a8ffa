create view v as
select t.id, p.pos, p.val
from t
lateral view posexplode(t.arr) p as pos, val
