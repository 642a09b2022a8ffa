create table t (a int, b int);
create view v as select count(*) as n, count(t.*) as m from t
