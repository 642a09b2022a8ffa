INSERT INTO o (x) SELECT r.a FROM t, ROWS FROM (unnest(t.items), generate_series(1, 3)) AS r (a, b);
