create view v (x, y) as
select a, b from t1
union
select c, d from t2
