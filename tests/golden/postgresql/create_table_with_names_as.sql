create table o (x, y) as select a, b from t
