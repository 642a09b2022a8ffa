INSERT INTO o (x, y) SELECT reduce(l, (a, b) -> a + b), list_reduce(m, lambda a, b: a * b) FROM t;
