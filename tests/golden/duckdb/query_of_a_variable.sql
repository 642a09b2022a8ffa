create table o as select * from query(getvariable('text'));
insert into p (a) select a from t;
