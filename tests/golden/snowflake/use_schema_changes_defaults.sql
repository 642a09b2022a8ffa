use schema raw_db.shop;
create table o as select a from t;
