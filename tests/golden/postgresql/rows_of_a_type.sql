create type pt as (p int, q text);
create table o1 as select (row(a, s)::pt).p as x, (cast((b, s) as pt)).q as y from t;
create table o2 as select (r).q as x, (z.r).p as y from (select row(a, s)::pt as r from t) z where (r).p > 1;
