create view v as
select d.p, d.q from (select a, b from t where c = 1) as d (p, q)
