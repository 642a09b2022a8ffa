insert into d.o (id)
select a.id
from d.t a tablesample system (10 percent)
join d.u as b for system_time as of timestamp_sub(current_timestamp(), interval 1 hour) on b.id = a.id
