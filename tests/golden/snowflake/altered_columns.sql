create table t (a int, b int, c int);
alter table t add column d int, e int;
alter table t drop column b, c;
alter table t rename column a to x;
insert into o (c1, c2, c3) select * from t;
