create table db.o as
select u.k, u.v
from db.t
cross join unnest(t.attrs) as u (k, v)
