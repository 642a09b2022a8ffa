-- metadata: {"t": ["id", "a"], "u": ["id", "b"]}
create table o as select * from t semi join u on t.id = u.id;

create table p as select a from t anti join (select id from u where b > 1) x using (id);
