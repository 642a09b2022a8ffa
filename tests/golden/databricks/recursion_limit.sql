create table o as
with recursive r (n) max recursion level 10 as (select a from t union all select n + 1 from r)
select n from r;
