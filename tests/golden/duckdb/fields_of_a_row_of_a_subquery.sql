-- metadata: {"t": ["id", "a", "b"]}
create table o as
select x.y.a as v, y.b as w from (select t as y from t) x;
create table p as
select q.a as v from (select arg_max(t, id) as q from t) x;
