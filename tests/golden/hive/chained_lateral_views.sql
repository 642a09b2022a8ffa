insert overwrite table o
select t.id, a.x, b.y
from t
lateral view explode(t.xs) a as x
lateral view outer explode(split(a.x, ',')) b as y
