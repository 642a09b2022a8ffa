insert into tgt.latest (id, v)
sel id, v
from src.t
qualify row_number() over (partition by id order by ts desc) = 1
