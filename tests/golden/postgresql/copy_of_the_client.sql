\copy t (a, b) FROM data/t.csv WITH (FORMAT csv)
\copy (
  SELECT a FROM u WHERE b > 1
) TO 'out.csv' csv
INSERT INTO o (x) SELECT a FROM t;
