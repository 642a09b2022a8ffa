create macro pick(a) as table (select a as x from t1), (a, b) as table (select c as x, b as y from t2);

create table o as select * from pick(1, 2);
