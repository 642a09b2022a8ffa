create table o as
select a, b from t1
union all by name
select b, c from t2
