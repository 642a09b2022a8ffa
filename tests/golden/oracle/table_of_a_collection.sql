-- metadata: {"t": ["id", "items"]}
insert into o (id, item)
select t.id, column_value from t, table(t.items);
