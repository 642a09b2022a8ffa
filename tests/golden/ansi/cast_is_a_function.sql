create view v as
select cast(t.a as integer) as a, t.b || '-' || t.c as bc, upper('x') as constant
from t
