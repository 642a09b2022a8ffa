create table t (a Int32, b Int32, c Int32) engine = Memory;
alter table t add column d Int32 after a, drop column b, modify column c Int64 first;
alter table t rename column a to x;
insert into o (c1, c2, c3) select * from t;
