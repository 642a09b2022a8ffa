-- metadata: {"t": ["a", "b", "k"]}
CREATE TABLE o1 AS WITH x AS (SELECT CAST(ROW(a, b) AS ROW(p INTEGER, q INTEGER)) AS st FROM t), y AS (SELECT * FROM x) SELECT y.st.p AS v FROM y;
CREATE TABLE o2 AS SELECT st.q AS v FROM (SELECT st FROM (SELECT CAST(ROW(a, b) AS ROW(p INTEGER, q INTEGER)) AS st FROM t) x) y;
