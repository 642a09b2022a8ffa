create table d.t (a int64, b int64);
alter table d.t add column c struct<u int64, v int64>, add column if not exists e int64, drop column b;
alter table d.t rename column a to x;
insert into d.o (c1, c2, c3) select * from d.t;
