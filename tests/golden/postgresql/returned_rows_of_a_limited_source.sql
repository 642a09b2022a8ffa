-- metadata: {"z": ["x", "y"], "t": ["id", "a"], "o": ["i", "j"]}
with r as (select id from t where a > 1), d as (delete from z using r where r.id = z.x returning z.x, z.y)
insert into o select x, y from d;
