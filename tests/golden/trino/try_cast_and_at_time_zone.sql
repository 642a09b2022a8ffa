create view v as
select try_cast(t.a as double) as a, t.ts at time zone 'UTC' as ts from t
