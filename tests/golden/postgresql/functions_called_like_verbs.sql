create table o as select delete(h, 'a') as d, k from t where set(k) = 1;
