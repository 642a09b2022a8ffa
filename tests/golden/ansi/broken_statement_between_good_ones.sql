create view v1 as select a from t;
create view v2 as select from where ((;
create view v3 as select b from t;
