insert into o
select id, stack(2, 'a', a, 'b', b) as (k, v) from t
