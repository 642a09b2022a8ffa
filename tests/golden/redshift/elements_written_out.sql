-- metadata: {"t": ["a", "b"]}
CREATE TABLE o AS SELECT ARRAY(a, b)[0] AS x, ARRAY(a, b)[1] AS y FROM t;
