-- metadata: {"t": ["id", "arr"]}
insert into o (id, arr)
select id, arr from t array join arr;

insert into p (n)
select count() from t array join arr as e;

-- a computed array without an alias
insert into q (n)
select count() from t array join splitByChar(',', arr);
