insert into o (x) select q.x
from dblink('host=far dbname=sales password=secret', 'select a, b from app.t where c = 1') as q(x int, y text);
insert into o (x) select q.x from dblink('named', 'select * from app.u') as q(x int)
