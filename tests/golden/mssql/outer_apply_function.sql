create view v as
select c.id, s.value
from customers c
outer apply string_split(c.tags, ',') s
