-- metadata: {"t": ["id", "k"], "u": ["id", "k"]}
create table o engine = Memory as select id from t left semi join u on t.k = u.k;
create table p engine = Memory as select id from t, u where k > 1;
