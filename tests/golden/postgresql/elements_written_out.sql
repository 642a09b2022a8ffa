-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o1 AS SELECT (ARRAY[a, b])[1] AS x, (ARRAY[a, b, c])[2:3] AS y, (ARRAY[a] || ARRAY[b, c])[3] AS z FROM t;
CREATE TABLE o2 AS SELECT json_build_array(a, b) -> 0 AS x, jsonb_build_array(a, b, c) ->> -1 AS y, json_build_array(a, b) -> 1 AS z FROM t;
CREATE TABLE o3 AS SELECT (jsonb_build_object('p', a) || jsonb_build_object('q', b)) ->> 'q' AS x, jsonb_build_object('p', a) ->> 'p' AS y FROM t;
CREATE TABLE o4 AS
SELECT j -> 'l' ->> 0 AS x, j #>> '{l,1}' AS y FROM (SELECT jsonb_build_object('l', jsonb_build_array(a, b), 'm', c) AS j FROM t) q;
