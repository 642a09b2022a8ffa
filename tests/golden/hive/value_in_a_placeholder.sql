WITH c AS (SELECT a FROM t) INSERT INTO o (a, b) SELECT a, ${batch} AS b FROM c;
INSERT INTO p (a, b) SELECT a, ${name} AS b FROM u;
