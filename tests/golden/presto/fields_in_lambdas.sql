-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o AS SELECT transform(ARRAY[CAST(ROW(a, b) AS ROW(p INTEGER, q INTEGER))], e -> e.p + c) AS x FROM t;
