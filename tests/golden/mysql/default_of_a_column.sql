insert into t (a, b) values (1, default(b));

update t set a = default(a) + c;
