-- metadata: {"t": ["id", "a"], "u": ["id", "c"]}
create table o as select a, c, utc_date as d, utc_timestamp as s from t join u on t.id = u.id;
