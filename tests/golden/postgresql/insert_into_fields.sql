create table x (i int, c complex);
insert into x (i, c.r, c.i) select id, a, b from t where b > 1;
