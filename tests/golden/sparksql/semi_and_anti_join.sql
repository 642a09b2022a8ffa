-- metadata: {"t": ["id", "a"], "u": ["id", "b"]}
insert into o (id, a)
select id, a from t left semi join (select id, b from u where b > 1) x on t.id = x.id;

insert into p (a)
select a from t left anti join u on t.id = u.id and u.b > t.a;
