create table t (a int, b int, c int);
alter table t add column d int not null default add column e int drop column b;
alter table t rename column a to x;
insert into o (c1, c2, c3, c4) select * from t;
