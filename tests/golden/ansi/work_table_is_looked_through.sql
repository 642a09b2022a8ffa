create table work as select a, b from t where c = 1;
insert into o (x) select a from work;
drop table work;
insert into p (y) select b from work
