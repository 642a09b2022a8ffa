insert into o (id, tag)
select id, tag from t array join tags as tag
