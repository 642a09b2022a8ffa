insert into d.o (id, name, factor)
select id, name, r.factor
from d.t, unnest([struct(a as name, 1 as factor), struct(b, c)]) as r;
