create view v as
select t.id,
       t.v - lag(t.v, 1) over (partition by t.id order by t.d) as delta,
       first_value(t.v) over (partition by t.id order by t.d) as opening
from t
