create view v as
((select a from t1 union select b from t2) union all select c from t3)
