-- metadata: {"t": ["id", "a"], "u": ["id", "b"]}
create table o as
select * from (select t.id, u.id, a as b, b from t join u on t.id = u.id) x;
