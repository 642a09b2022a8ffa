-- metadata: {"t": ["a", "b"]}
CREATE TABLE o AS SELECT array(a, b)[0] AS x, array(a, b)[1] AS y FROM t;
