create table o1 engine = Memory as select k, untuple(tup) from t;
create table o2 engine = Memory as select untuple((a, b + c)) as n, k from t;
create table o3 engine = Memory as select untuple((a, k)) from t;
insert into p (x, y) select untuple((a, b)) from t;
