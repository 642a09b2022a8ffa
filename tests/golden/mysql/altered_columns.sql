create table t (a int, b int, c int);
alter table t change a x bigint after b, add column d int first, add (e int, f int), drop column c, modify f int after d;
insert into o (c1, c2, c3, c4, c5) select * from t;
