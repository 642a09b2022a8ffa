-- metadata: {"x": ["i", "l", "m"], "t": ["id", "k", "a", "b"]}
insert into x (i, l[1], l[2:3]) select id, a, array[b] from t where k > 1;
update x set l[1] = t.a, m[t.k][2] = t.b from t where t.id = x.i;
update x set (i, l[2]) = (select max(id), max(a) from t);
