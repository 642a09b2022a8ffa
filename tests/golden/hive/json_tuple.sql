insert overwrite table foo
select sc.id, q.k1, q.k2
from bar sc
lateral view json_tuple(sc.json, 'key1', 'key2') q as k1, k2
