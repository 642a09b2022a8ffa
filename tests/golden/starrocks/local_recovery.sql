INSERT INTO o (a, b)
SELECT t1.a, t2.b FROM t1 JOIN [BROADCAST] t2 ON t1.k = t2.k;
