-- metadata: {"t": ["id", "s"], "u": ["id", "s", "p"]}
create table o as select * except (t.id, u.s, p.field) from t join u on t.id = u.id;
