INSERT INTO o (x) SELECT a::oid[] FROM t;
