INSERT INTO o (x, y) SELECT j.k, t.a FROM t JOIN u USING (k) AS j WHERE j.k > 0;
