insert into o (id, tag)
select id, value from t cross apply string_split(tags, ',');

insert into p (id, k, v)
select id, [key], value from t cross apply openjson(js);
