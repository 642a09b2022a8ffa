-- metadata: {"t": ["id", "a", "b"]}
create table o engine = Memory as select * except (id) apply(sum) apply(toString) from t;
create table o2 engine = Memory as select columns('^a') apply(max), t.* apply(max) from t;
