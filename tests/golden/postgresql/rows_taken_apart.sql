-- metadata: {"t": ["id", "arr", "js"]}
insert into o1 (n) select count(*) from t, unnest(arr) as x;

insert into o2 (id) select id from t, jsonb_array_elements(js) e;

-- In the select list, too, an array becomes rows.
insert into o3 (n) select count(*) from (select id, unnest(arr) as e from t) x;
