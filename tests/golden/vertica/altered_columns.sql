create table t (a int, b int, c int);
alter table t rename column a, b to x, y;
insert into o (c1, c2, c3) select * from t;
