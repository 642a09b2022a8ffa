create table t (a int, b int, c int, d int);
alter table t rename column a to x;
alter table t drop column if exists b;
alter table t add column (e int after x);
insert into o (c1, c2, c3, c4) select * from t;
