-- metadata: {"t": ["a", "b", "c", "d", "id"], "u": ["id", "a"]}
create table o1 engine = Memory as select a as b, b as c from t;
create table o2 engine = Memory as select b as c, a as b from t where b > 1;
create table o3 engine = Memory as select a + c as a, a as d, t.a as e from t;
create table o4 engine = Memory as select u.a as a, t.b as b, a as x from t join u using (id);
