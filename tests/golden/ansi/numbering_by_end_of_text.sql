select upper((select max(lower(u.a)) from u group by u.g)) as q,
       coalesce(trim(t.b), t.c) as r
from t
