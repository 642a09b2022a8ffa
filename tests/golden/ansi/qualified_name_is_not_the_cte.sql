with t as (select a from x)
insert into o (p, q)
select t.a, r.a
from t
join s.t r on r.id = 1
