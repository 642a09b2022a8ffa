alter session set current_schema = sales;
insert into o (a) select a from t
