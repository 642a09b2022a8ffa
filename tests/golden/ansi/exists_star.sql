create view v as
select t.id from t where exists (select * from u where u.tid = t.id)
