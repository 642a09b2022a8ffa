INSERT INTO o (x) SELECT FOLD(t.l STARTING 0 WITH (a, b) -> a + b * t.k) FROM t;
