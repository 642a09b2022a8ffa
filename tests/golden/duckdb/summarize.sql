-- metadata: {"t": ["a", "b"]}
create table o as summarize select a from t where b > 1;
create table p as select min, "count" from (summarize t);
create table q as describe t
