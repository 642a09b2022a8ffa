create table latest as
select distinct on (e.user_id) e.user_id, e.status
from events e
order by e.user_id, e.ts desc
limit 1000
