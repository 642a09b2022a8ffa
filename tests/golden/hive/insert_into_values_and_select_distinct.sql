insert into table o select distinct a, b from t cluster by a
