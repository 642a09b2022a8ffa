create view v as
select t.id
from t
where t.a between t.low and t.high
  and t.b not in (t.c, t.d)
  and t.e like t.pattern escape '!'
  and t.f is distinct from t.g
  and not (t.h is null or t.i)
