create table o as
select * from t
