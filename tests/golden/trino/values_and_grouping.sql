insert into o
select g, grouping(g) as lvl, sum(x) as s from t group by rollup (g)
