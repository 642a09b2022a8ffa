-- metadata: {"t": ["a", "k"], "u": ["c", "k2"]}
insert into o
select x.* from t x join u y on x.k = y.k2 order by k fetch first 3 rows only;
