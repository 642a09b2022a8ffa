-- metadata: {"t": ["id", "a", "b"], "u": ["k", "c"]}
create table o as select t.id, x.e from t, (select unnest([t.a, t.b]) as e) x;
create table o2 as select t.id, y.m from t join (select max(c) as m from u where k = t.a) y on true;
