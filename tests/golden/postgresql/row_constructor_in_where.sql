create view v as
select t.x from t where (t.a, t.b) in (select s.a, s.b from s)
