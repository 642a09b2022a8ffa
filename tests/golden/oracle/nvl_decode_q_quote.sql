create view v as
select decode(t.kind, 1, t.a, 2, t.b) as x, nvl(t.c, q'[it's]') as y from t
