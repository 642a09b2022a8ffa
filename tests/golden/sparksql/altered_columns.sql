create table t (a int, b int, c int, d int);
alter table t rename column a to x;
alter table t drop columns (b, c);
alter table t add columns (e int first, f struct<g: int, h: int>);
alter table t alter column f first;
insert into o (c1, c2, c3, c4) select * from t;
