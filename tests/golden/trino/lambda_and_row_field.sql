create view v as
select transform(t.arr, x -> x + t.bias) as shifted, t.rec.name as name
from t
