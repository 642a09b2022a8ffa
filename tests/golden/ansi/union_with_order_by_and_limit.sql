create view v as
(select a, d from t1)
union all
(select b, e from t2)
order by d
fetch first 5 rows only
