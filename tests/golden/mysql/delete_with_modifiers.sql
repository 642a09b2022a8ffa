delete quick t1, t2 from t1 inner join t2 on t1.id = t2.id where t1.x = 1;
