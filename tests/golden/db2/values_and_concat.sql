create view v as
select t.first concat ' ' concat t.last as name, value(t.a, t.b) as ab from t
