create table t (a int, b int);
alter table t add c int;
alter table t rename a to x;
alter table t drop column b;
insert into o (c1, c2) select * from t;
