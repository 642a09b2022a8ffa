-- metadata: {"t": ["a", "b"], "s": ["k", "v"]}
create table o as
select t.*, s.v as value
from t
join s on s.k = t.a
