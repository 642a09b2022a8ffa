-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o AS SELECT array(a, b)[0] AS x, element_at(array(a, b, c), 2) AS y, element_at(array(a, b, c), -1) AS z FROM t;
