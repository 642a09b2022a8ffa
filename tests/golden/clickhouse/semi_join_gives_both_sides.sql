-- metadata: {"t": ["id", "a"], "u": ["id", "b"]}
insert into o (a, b)
select t.a, u.b from t left semi join u on t.id = u.id;
