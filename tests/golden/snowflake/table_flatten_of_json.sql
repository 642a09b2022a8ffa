create view v as
select t.id, f.value:name::varchar as name
from t, table(flatten(t.items, outer => true)) f
