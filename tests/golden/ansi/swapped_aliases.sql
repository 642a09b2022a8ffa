create view v as
select a.x as from_b, b.x as from_a
from a b
join b a on a.id = b.id
