create table o engine = Memory as select columns(a, b), c from t;
