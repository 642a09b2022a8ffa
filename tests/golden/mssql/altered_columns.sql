create table t (a int, b int, c int, d int);
alter table t add e int, f decimal(10, 2) not null;
alter table t drop column b, c;
exec sp_rename 't.a', 'x', 'COLUMN';
alter table t alter column d bigint;
insert into o (c1, c2, c3, c4) select * from t;
