create table o as values (1, (select count(*) from u where c > 1)), ((select max(a) from t where b > 0), 2)
