create view v1 as select f1 from t2;
alter table t2 rename to t3;
