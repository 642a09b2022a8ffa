-- metadata: {"t": ["k", "a", "b", "s"]}
create table o as select * from t pivot (sum(a) as x for (s, k) in (('a', 1), ('b', 2)) group by b);
create table p as select * from t pivot (max(a) for (s, k) in (('a', 1) as q, ('b', 2)));
