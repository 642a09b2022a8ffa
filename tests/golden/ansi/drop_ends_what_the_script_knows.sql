create table stage as select a, b from t;
drop table stage;
create table o as select * from stage;
