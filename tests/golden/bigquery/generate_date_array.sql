create table d.o as
select day, t.id
from d.t
cross join unnest(generate_date_array(t.start_day, t.end_day)) as day
