-- metadata: {"d.t": ["id", "name", "loaded_at", "raw"]}
create table d.o as
select * except (raw, loaded_at) replace (upper(name) as name) from d.t
