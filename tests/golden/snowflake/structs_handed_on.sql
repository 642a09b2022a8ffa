-- metadata: {"t": ["a", "b", "k"]}
CREATE TEMPORARY TABLE x AS SELECT OBJECT_CONSTRUCT('p', a, 'q', b) AS st FROM t;
CREATE TABLE o1 AS SELECT st:p AS v FROM x;
CREATE TABLE o2 AS WITH x AS (SELECT OBJECT_CONSTRUCT('p', a, 'q', b) AS st FROM t), y AS (SELECT * FROM x) SELECT y.st:q AS v FROM y;
