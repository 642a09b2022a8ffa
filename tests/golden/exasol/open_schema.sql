open schema sales;
insert into o (a) select a from t
