-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o1 AS SELECT [a, b][1] AS x, [a, b, c][-1] AS y, (a, b)[2] AS z, [a, b, c][2:3] AS v FROM t;
CREATE TABLE o2 AS SELECT json_array(a, b) -> 0 AS x, to_json([a, b]) ->> '$[1]' AS y, list_extract([a, b], 2) AS z FROM t;
CREATE TABLE o3 AS SELECT ([a] || [b, c])[2] AS x, [{'p': a, 'q': b}, {'p': c, 'q': a}][2].p AS y FROM t;
CREATE TABLE o4 AS SELECT l[2] AS x FROM (SELECT [a, b] AS l FROM t);
