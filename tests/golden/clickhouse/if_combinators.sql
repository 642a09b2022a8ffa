create view v as
select g, sumIf(v, ok = 1) as good, uniqExact(u) as users from t group by g
