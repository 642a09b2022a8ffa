-- metadata: {"t": ["id", "a"], "u": ["tid", "b"]}
create view v as
select id from t where exists (select 1 from u where tid = id and b > a)
