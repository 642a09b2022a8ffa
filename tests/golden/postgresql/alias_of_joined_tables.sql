-- metadata: {"t": ["id", "a", "k"], "u": ["k", "c"]}
create table o as select j.a, j.c from (t join u using (k)) as j where j.k > 0;
create table p as select x.i, x.d from (t join u on t.k = u.k) as x (i, a1, k1, k2, d)
