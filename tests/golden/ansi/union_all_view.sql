create view v as
select a from t1
union all
select b from t2
