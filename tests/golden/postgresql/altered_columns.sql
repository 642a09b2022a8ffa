create table t (a int, b int, c int);
alter table t rename column a to x, alter column b drop not null;
alter table t rename b to "Y";
alter table only t add column d int default 1, drop column if exists c cascade;
insert into o (c1, c2, c3) select * from t;
