insert into t (id, n) values (1, 2) as new
on duplicate key update n = t.n + new.n
