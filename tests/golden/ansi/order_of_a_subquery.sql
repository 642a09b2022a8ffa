-- metadata: {"t": ["a", "b", "k"]}
-- Whoever reads a subquery reads it in its order; a table that is filled keeps none.
insert into o (names)
select listagg(a, ',') from (select a from t order by b) x order by 1;

insert into p (a)
select a from t order by b;
