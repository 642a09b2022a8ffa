create view v as
select (t.address).city as city, t.vs[1:2] as firsts, t.m[1][2] as cell from t
