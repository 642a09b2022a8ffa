insert into o (k, total)
select d.k, d.total
from (
  select t.k, sum(t.v) as total
  from t
  where t.flag = 1
  group by t.k
) d
where d.total > 10
