prepare p as insert into o (x, y) select $1, q.b from (select a, b from t) q;
