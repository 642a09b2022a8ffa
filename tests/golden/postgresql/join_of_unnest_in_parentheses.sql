-- metadata: {"u": ["c", "k"], "t": ["arr"]}
create view v as
select u.c, q.i from t cross join (unnest(t.arr) q(i) join u on u.k = q.i);
