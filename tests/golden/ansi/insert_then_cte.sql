insert into o (x)
with c as (select a from t where b = 1)
select c.a from c
