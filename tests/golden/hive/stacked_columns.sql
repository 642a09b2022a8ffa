-- metadata: {"t": ["id", "a", "b"]}
create table o as select id, nm, val from t lateral view stack(2, 'a', a, 'b', b) e as nm, val;
create table o2 as select col0, col1 from t lateral view stack(2, 'a', a, 'b', b) e;
