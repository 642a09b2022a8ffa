create table o1 engine = Log as select a from t1 union select b from t2;

insert into o2 values (1, 'x') (2, 'y') (3, 'z');

create table o3 engine = Log as select k, count() as c from t3 group by k with totals settings totals_mode = 'before_having', max_threads = 1;

create table o4 engine = Log as select explain from (explain indexes = 1 select a from t4);

create table o5 engine = Log as select a, y from t5 where (x = 2) as y;

create table o6 engine = Log as select cast(v as QBit(Float64, 28)) as q from t6;

create table o7 engine = Log as select f.m, d.n from {db:Identifier}.f as f left join {db:Identifier}.d as d on f.k = d.k;

alter table 02581_trips update a = b where id in (select i from t8);

insert into o9 select x from input('x Int32') format JSONEachRow {"x": 1}, {"x": 2};
