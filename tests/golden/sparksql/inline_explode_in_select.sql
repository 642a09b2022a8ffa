insert into o
select id, explode(items) as item from t
