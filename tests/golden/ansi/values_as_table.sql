insert into o (id, label)
select t.id, m.label
from t
join (values (1, 'one'), (2, 'two')) as m (id, label) on m.id = t.kind
