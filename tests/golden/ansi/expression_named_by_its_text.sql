create table o as
select t.a + t.b, max(t.c) from t group by t.a + t.b
