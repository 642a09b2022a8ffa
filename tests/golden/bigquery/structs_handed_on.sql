-- metadata: {"t": ["a", "b", "k"]}
CREATE TEMP TABLE x AS SELECT STRUCT(a AS p, b AS q) AS st FROM t;
CREATE TABLE o1 AS SELECT st.p AS v FROM x;
CREATE TABLE o2 AS WITH x AS (SELECT STRUCT(a AS p, b AS q) AS st FROM t), y AS (SELECT st FROM x) SELECT y.st.q AS v FROM y;
INSERT INTO x (st) SELECT STRUCT(c AS p, d AS q) FROM u;
CREATE TABLE o3 AS SELECT st.p AS v FROM x;
