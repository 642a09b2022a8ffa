create table o as
select id, v from t unpivot (v for k in (a, b))
