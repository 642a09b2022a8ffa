with a as (select x from t where y = 1),
     b as (select x from a)
insert into o (z)
select b.x from b
