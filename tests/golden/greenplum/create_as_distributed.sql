create table t (a int references p (x), b text) distributed by (a);
create table u as select a from t distributed randomly;
