create view v as
select t.id
from t
where exists (
  select 1 from u
  where u.tid = t.id
    and exists (select 1 from w where w.uid = u.id and w.owner = t.owner)
)
