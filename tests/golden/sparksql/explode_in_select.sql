-- metadata: {"t": ["id", "arr"]}
insert into o
select count(*) as n from (select id, explode(arr) as e from t) x;
