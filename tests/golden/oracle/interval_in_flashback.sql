create table o as select x.a from t as of timestamp (systimestamp - interval '10' minute) x where x.b = 1;
