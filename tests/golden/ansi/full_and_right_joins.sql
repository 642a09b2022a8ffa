create table o as
select coalesce(a.id, b.id) as id, a.x, b.y, c.z
from a
full outer join b on a.id = b.id and a.region = b.region
right join c on c.id = b.id
