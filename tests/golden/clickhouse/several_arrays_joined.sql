INSERT INTO o (k, i) SELECT n.k, idx FROM t ARRAY JOIN nested AS n, arrayEnumerate(positions) AS idx;
