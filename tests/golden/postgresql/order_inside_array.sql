-- metadata: {"t": ["id", "k"], "u": ["c", "k", "e"]}
create view v as
select t.id, array(select c from u where u.k = t.k order by e) as cs from t;
