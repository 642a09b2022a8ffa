create view v as
select a from t order by b desc fetch first 10 rows only
