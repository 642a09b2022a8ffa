create function f(i int) returns setof int language sql as 'select c from u where k = i';
create table o1 as select f from f(1);
create table o2 as select x from t, f(t.a) x;
create table o3 as select id, f(a) as x from t;
