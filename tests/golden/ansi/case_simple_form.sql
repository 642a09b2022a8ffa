create view v as
select case t.kind when 1 then t.a when 2 then t.b else null end as x from t
