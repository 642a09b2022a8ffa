-- metadata: {"t": ["K", "V"], "u": ["K", "W"]}
insert into o1 select rowid, rownum, level, k, sysdate from t;
insert into o2 select t.rowid, u.k from t join u on t.k = u.k;
insert into o3 (a) values (default);
