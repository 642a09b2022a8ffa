-- metadata: {"a": ["id", "x"], "b": ["id", "y"], "c": ["id", "z"]}
create table o as
with ab as (select * from a join b using (id))
select id, x, y, z from ab natural join c
