update z set y = t.a
output inserted.x, inserted.y, deleted.y into dbo.log (x, new_y, old_y)
from z join t on t.id = z.x
