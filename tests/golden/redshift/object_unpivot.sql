-- metadata: {"w": ["id", "doc"], "t": ["id", "a"], "u": ["id", "c"]}
create table o as select w.id, attr, val from w, unpivot w.doc as val at attr where val > 1;
create table o2 as select a, c, current_namespace as n from t join u on t.id = u.id;
