create table default.t (a Int32, b Int32) engine = Memory;
insert into o select * from t;
