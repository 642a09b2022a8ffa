create or replace table latest as
select id, status
from events
qualify row_number() over (partition by id order by ts desc) = 1
