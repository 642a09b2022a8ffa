insert overwrite table foo
select sc.id, q.item
from bar sc
lateral view outer explode(sc.items) q as item
