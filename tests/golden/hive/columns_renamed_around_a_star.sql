WITH c (d, e, f) AS (SELECT *, m FROM t) INSERT INTO o (a, b, c) SELECT d, e, f FROM c;
