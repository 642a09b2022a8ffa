create table o as select cast(struct(a, b) as struct<x int64, y string>).y as y from t;
