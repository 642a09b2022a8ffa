-- metadata: {"t": ["a", "s", "k"]}
create table o as
select s.upper().left(2) as x, t.a.abs() as y, max(a).abs() as n, main.abs(k) as z
from t where s.length() > 1 group by all;
