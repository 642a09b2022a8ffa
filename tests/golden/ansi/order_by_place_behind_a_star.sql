-- metadata: {"t": ["id", "a", "b", "c"], "u": ["x", "y"]}
-- A number in ORDER BY counts the columns of the result, however many of them a star brings.
create table first_rows as
select a from (select * from t order by 4, 1 fetch first 3 rows only) q;
create table behind_the_star as
select ab from (select t.*, a + b as ab from t order by 5 fetch first 3 rows only) q;
create table mixed as
select a from (select a, b from t union all select x, y from u order by 2 fetch first 3 rows only) q;
