create table STAGE as select ID, name from t;
insert into o (id) select "ID" from stage where Name is not null;
