-- metadata: {"t": ["id", "k", "a"]}
create table o as select id, rank(order by a desc) over (partition by k order by id) as x from t;
