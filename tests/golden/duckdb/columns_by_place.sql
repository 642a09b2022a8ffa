-- metadata: {"t": ["id", "a", "b"], "u": ["id", "c"]}
-- #n is the n-th of all columns in FROM; in ORDER BY it is the n-th of the result.
create table o as
select #2, #5 as x from t join u on t.id = u.id where #3 > 1;
create table p as
select id, b from t order by #2 limit 3;
create table q as
select #2 as g, sum(#3) as s from t group by #2;
