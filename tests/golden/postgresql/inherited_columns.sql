-- metadata: {"z": ["x", "y"]}
create table p1 partition of z for values from (1) to (9);
create table c1 (extra int) inherits (z);
insert into o1 select * from p1;
insert into o2 select * from c1;
insert into c1 select a, b, c from t;
