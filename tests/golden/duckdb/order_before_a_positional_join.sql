-- metadata: {"t": ["id", "a"], "u": ["id", "c"]}
-- The rows are paired by the order in which they come.
create table o as
select x.a, y.c from (select a, id from t order by id) x positional join (from u order by id) y;
