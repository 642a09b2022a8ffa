-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o AS SELECT [a, b][OFFSET(0)] AS x, [a, b, c][SAFE_ORDINAL(2)] AS y, [a, b, c][2] AS z FROM t;
