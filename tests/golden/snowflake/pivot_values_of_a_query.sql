-- metadata: {"t": ["k", "a", "s"], "u": ["s", "c"]}
create table o as select * from t pivot (sum(a) for s in (select s from u where c > 1));
