create table t (a int, b int, c int);
alter table t add d int, add e int, drop b;
alter table t rename a to x;
insert into o (c1, c2, c3, c4) select * from t;
