INSERT INTO o (a, b, c) WITH c (d, e, f) AS (SELECT *, m FROM t) SELECT d, e, f FROM c;
