update t set a = b + 2 where k = 3 else insert into t (k, a) values (3, 1);
