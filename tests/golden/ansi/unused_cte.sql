with u as (select x from unused_source), c as (select a from t)
insert into o (a)
select a from c
