create view v as
select d.a from (select a from t order by b fetch first 3 rows only) d order by d.a
