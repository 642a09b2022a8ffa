create table t (a int, b int);
insert into o1 select * from t;
drop table if exists t;
insert into o2 select * from t;
