-- metadata: {"o": ["k", "label"], "t": ["id", "name"]}
insert into o
select id, name from t
