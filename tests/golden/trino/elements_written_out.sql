-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o AS SELECT ARRAY[a, b][1] AS x, element_at(ARRAY[a, b, c], 2) AS y, element_at(ARRAY[a, b, c], -1) AS z FROM t;
