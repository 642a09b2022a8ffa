-- metadata: {"t": ["a", "s"]}
create function f(out p int, out q text) returns setof record language sql as 'select a, s from t';
create table o as select q from f() where p > 1;
