create view v as
select t.a as b, b as c from t
