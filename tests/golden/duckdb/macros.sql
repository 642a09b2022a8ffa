create macro recent(n) as table select id, a from t where k > n;
create or replace temp macro best(p) as p + (select max(c) from u), (p, q) as p + q;
create table o as select id, best(a) as x from recent(3)
