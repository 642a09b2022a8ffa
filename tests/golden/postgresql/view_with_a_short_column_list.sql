create view v (p) as select a, b from t;
create table o as select p, b from v
