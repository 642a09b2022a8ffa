create view v as
select a from t order by b
