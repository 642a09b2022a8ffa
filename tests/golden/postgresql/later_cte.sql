-- metadata: {"t": ["a", "b"]}
create view v as
with recursive first as (select * from second), second as (select a from t where b > 0)
select * from first;
