-- Hive takes a quoted name apart at its dots.
insert into table `db.o` select x.a from `db.t` x join db.u y on x.k = y.k;

create table `db.n` as select a from db.t;
