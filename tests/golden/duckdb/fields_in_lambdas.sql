-- metadata: {"t": ["k", "a", "b", "c"]}
CREATE TABLE o1 AS SELECT list_transform([{'p': a, 'q': b}], lambda e: e.p + c) AS x FROM t;
CREATE TABLE o2 AS SELECT [e.p FOR e IN [{'p': a, 'q': b, 'r': c}] IF e.q > 1] AS x FROM t;
CREATE TABLE o3 AS SELECT list_transform(l, lambda e: e.q) AS x FROM (SELECT k, [{'p': a, 'q': b}] AS l FROM t);
CREATE TABLE o4 AS SELECT list_transform([{'p': a, 'q': b}], lambda e: e) AS x FROM t;
