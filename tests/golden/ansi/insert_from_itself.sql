insert into t (a, b) select a, b + 1 from t where b < 10
