create type pt as (p int, q text);
create function f(i int) returns pt language sql as 'select max(a), max(s) from t where k = i';
create function g(i int, out x int, out y text) language sql as 'select b, c from u where k = i';
create function h() returns setof pt language sql as 'select d, e from w';
create table o1 as select (f(m)).p as a, (public.f(m)).q as b from n;
create table o2 as select id, (g(m)).* from n;
create table o3 as select q from h();
