-- metadata: {"t": ["id", "a"], "u": ["id", "b"]}
insert into o
select b from t right anti join u on t.id = u.id;
