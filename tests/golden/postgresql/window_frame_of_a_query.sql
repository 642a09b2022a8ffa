-- metadata: {"t": ["id", "a", "b"], "u": ["c"]}
create table o as
select sum(a) over (order by id rows between (select count(*) from u where c > 3) preceding and current row) as x, @ (a - b) as y
from t;
