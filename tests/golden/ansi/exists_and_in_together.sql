create view v as
select t.a
from t
where exists (select 1 from u where u.id = t.id) or t.k not in (select w.k from w)
