-- metadata: {"t": ["a", "b", "k"]}
create table o as select sum(columns('a|b')) as 'sum_\0' from t group by k;
