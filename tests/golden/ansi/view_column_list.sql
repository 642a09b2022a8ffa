create view v (one, two) as
select a, b + c from t
