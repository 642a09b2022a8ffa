create table o as select t.id, hash(t.*) as h from t
