-- metadata: {"t": ["a", "s", "k"]}
create table o as
select s.upper().left(2) as x, t.a.abs() as y, max(a).abs() as n, main.abs(k) as z
from t where s.length() > 1 group by all;
create table p as select array_agg({'q': a, 'r': k}.q).len() as x, struct_pack(q := k).struct_extract('q') as y from t group by s;
