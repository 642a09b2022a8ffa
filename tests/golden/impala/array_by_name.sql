-- metadata: {"t": ["id", "items"]}
insert into o
select t.id, x.price from t, t.items x;
