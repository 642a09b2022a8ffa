create table t (a int, b int);
alter table t add column c struct(u int, v int);
alter table t rename a to x;
alter table t drop b;
insert into o (c1, c2) select * from t;
