insert into z (z.x, z.y) select id, a from t where b > 1;
