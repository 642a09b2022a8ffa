with c (x) as (
  select a from t where b > 1
)
insert into o (y)
select x from c
