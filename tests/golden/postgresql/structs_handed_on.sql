-- metadata: {"t": ["a", "b", "k"]}
CREATE TEMP TABLE x AS SELECT jsonb_build_object('p', a, 'q', b) AS j FROM t;
CREATE TABLE o1 AS SELECT j ->> 'p' AS v FROM x;
CREATE TABLE o2 AS WITH x AS (SELECT jsonb_build_object('p', a, 'q', b) AS j FROM t), y AS (SELECT * FROM x) SELECT y.j ->> 'q' AS v FROM y;
