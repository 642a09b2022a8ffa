-- metadata: {"t": ["a", "b"]}
-- A table of the metadata changes too.
alter table t rename column a to x;
alter table t add column c int;
insert into o select * from t;
