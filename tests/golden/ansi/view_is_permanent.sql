create view v as select a, b from t;
insert into o select * from v;
