set schema sales;
insert into o (a) select a from t;
set current schema = hr;
insert into o (a) select a from t
