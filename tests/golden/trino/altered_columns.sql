create table t (a int, b int, e int);
alter table t add column c int first;
alter table t rename column a to x;
alter table t drop column b;
insert into o (c1, c2, c3) select * from t;
