create table latest as
select id, rank() over (partition by id order by ts desc) as rk
from events
qualify rk = 1
