insert into o (code, label)
select v.column1, coalesce(t.label, v.column2)
from values ('a', 'Alpha'), ('b', 'Beta') v
left join t on t.code = v.column1
