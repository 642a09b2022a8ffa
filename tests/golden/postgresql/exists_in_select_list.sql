create view v as
select t.id, exists (select 1 from u where u.tid = t.id) as has_u from t
