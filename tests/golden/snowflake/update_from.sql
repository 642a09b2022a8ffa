update orders o
set o.status = s.status, o.changed = s.changed
from staged_orders s
where o.id = s.id and s.valid
