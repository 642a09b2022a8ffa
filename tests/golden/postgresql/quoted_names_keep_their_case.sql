create table "T" as select a from src;
insert into o (a) select a from t;
