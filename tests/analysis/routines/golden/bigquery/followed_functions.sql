create function d.highest(x int64) as ((select max(a) from d.t where k = x));
create table function d.rows_of(x int64) as select a, b from d.u where k = x;
insert into d.o (a) select d.highest(s.k) from d.s as s;
insert into d.o2 (a) select a from d.rows_of(1);
