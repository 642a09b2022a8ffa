INSERT INTO o (id, near)
SELECT id, a <~> b FROM t WHERE c <~> d;
