-- metadata: {"t": ["id", "a", "k"], "u": ["k", "c"]}
insert into o (p, q, r, s) select * from t left join u using (k)
