insert into o (a) select a from t1;
insert into o (a) select b from t2 where c = 1;
