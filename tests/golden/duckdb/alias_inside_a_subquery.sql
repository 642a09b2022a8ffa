-- metadata: {"t": ["id", "a", "b"], "u": ["k", "c"]}
-- A subquery sees the select items that stand before it, after all tables around it.
create table o as
select id, a + b as x, (select max(c) from u where u.k = x) as m, exists (select 1 from u where u.c > x) as e from t;
create table p as
select a + b as c, (select count(*) from u where c > 1) as n from t;
