-- metadata: {"t": ["id", "a", "b"], "u": ["k", "c"]}
-- A whole row is one value of the subquery, and its columns are the fields.
create table o as
select (x.y).a as v, (x.y).b as w from (select t as y from t) x;
create table p as
select (x.y).* from (select u as y from u where c > 1) x;
create table q as
select (x.y).a as v from (select (array_agg(t order by id))[1] as y from t) x;
