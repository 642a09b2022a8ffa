create view v as
select upper(t.name) as name, t.a as b
from t
where name = 'X' and b > 0
