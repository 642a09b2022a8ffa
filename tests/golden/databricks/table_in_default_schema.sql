create table default.t (a int, b int);
insert into o select * from t;
