INSERT INTO o (a, b)
SELECT a, b ~~~~ c FROM t;
