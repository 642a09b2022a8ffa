INSERT INTO o (a, b) WITH c AS (SELECT a FROM t) SELECT a, ${batch} AS b FROM c;
INSERT INTO p (a, b) SELECT a, ${name} AS b FROM u;
