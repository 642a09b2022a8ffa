insert into o (id, part)
select id, value from t, lateral split_to_table(t.tags, ',');
