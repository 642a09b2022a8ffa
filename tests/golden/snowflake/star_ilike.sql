-- metadata: {"t": ["id", "user_id", "name"]}
insert into o
select * ilike '%id' from t;
