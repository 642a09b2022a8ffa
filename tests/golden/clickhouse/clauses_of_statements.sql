delete from t1 on cluster c in partition '2024' where a in (select b from u1);

insert into t2 select x from s2 parallel with insert into t3 select y from s3;

create table o4 engine = Log as select a from s4 order by b limit 10 with ties;

insert into t5 (a, b) format JSONEachRow {"a": 1, "b": 2} {"a": 3, "b": 4};

insert into t6 select l.a, c.b from loop(db.l) l join cluster('c', db2.t) c on l.k = c.k join clusterAllReplicas('c', 'db3', 'r') r using (k);

insert into t7 select columns(a, b) apply(sum) from s7;
