-- Nothing is known of t, yet only the function can have these columns.
insert into o1 (id, tag) select id, tag from t, unnest(arr) as tag;

insert into o2 (id, e) select id, unnest from t, unnest(arr);

insert into o3 (id, v) select id, value from t, jsonb_array_elements(js) e;

insert into o4 (id, k, v) select id, key, value from t, jsonb_each(js);

insert into o5 (id, d) select id, d from t cross join generate_series(1, 10) as d;

insert into o6 (id, a) select id, e ->> 'a' from t, jsonb_array_elements(js) e;
