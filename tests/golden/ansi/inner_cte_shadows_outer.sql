with c as (select a from t1)
insert into o (x, y)
select i.a, c.a
from (with c as (select b as a from t2) select a from c) i
cross join c
