-- metadata: {"t": ["a", "b", "c"]}
create table o as select a, b from t order by all limit 3;
