-- metadata: {"t": ["k", "a"], "u": ["k", "c"]}
update t set a = u.c where t.k = u.k;
delete from db1.t2 where t2.k = u2.k and u2.c > 1;
create view o as select t.a from t where t.k = u.k;
