-- metadata: {"t": ["id", "a", "b", "c"], "w": ["k", "r"]}
-- In DuckDB one column holds the elements, whatever fields they have.
create table o as
select e.p as v, x.e as w from t, unnest([{'p': a, 'q': b}, {'p': c, 'q': 1}]) x(e) where e.q > 1;
create table p as
select e.q as v from (select unnest([{'p': a, 'q': b}, {'p': c, 'q': id}]) as e from t) x;
create table q as
select p, q from (select unnest([{'p': a, 'q': b}], recursive := true) from t);
-- A struct of a table may hold any of the fields.
create table r as
select e.p as v from w, unnest([w.r, {'p': w.k, 'q': 'n'}]) x(e);
