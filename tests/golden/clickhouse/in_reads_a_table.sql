-- metadata: {"u": ["k"], "w": ["id", "k", "l"]}
create table o engine = Memory as select id from t where k in u;
create table p engine = Memory as with [1, 2] as listed select id from t where k in listed;
create table r engine = Memory as select id from w where k in l;
