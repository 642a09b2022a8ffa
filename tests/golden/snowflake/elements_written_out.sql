-- metadata: {"t": ["a", "b"]}
CREATE TABLE o AS SELECT ARRAY_CONSTRUCT(a, b)[0] AS x, [a, b][1] AS y FROM t;
