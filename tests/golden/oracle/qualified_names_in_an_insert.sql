insert into z q (q.x, q.y) select id, a from t where b > 1;
