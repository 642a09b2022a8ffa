insert into o (p, q)
select a, b from t1
union
select c, d from t2
union all
select e, f from t3 where g > 0
