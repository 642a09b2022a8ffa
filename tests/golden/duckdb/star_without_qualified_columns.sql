-- metadata: {"t": ["id", "s"], "u": ["id", "s"]}
create table o as select * exclude (t.id, u.s) from t join u on t.id = u.id;
