create table t (a int, b int);
alter table t add column c int default 0;
alter table t rename column a to x;
alter table t drop column b cascade;
insert into o (c1, c2) select * from t;
