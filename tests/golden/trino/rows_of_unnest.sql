-- metadata: {"t": ["id", "arr"]}
insert into o (id, n)
select id, count(*) from t cross join unnest(arr) as x (e) group by id;
