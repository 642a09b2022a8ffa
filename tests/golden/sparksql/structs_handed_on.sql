-- metadata: {"t": ["a", "b", "k"]}
CREATE TABLE o1 AS WITH x AS (SELECT named_struct('p', a, 'q', b) AS st FROM t), y AS (SELECT * FROM x) SELECT y.st.p AS v FROM y;
CREATE TABLE o2 AS SELECT st.q AS v FROM (SELECT st FROM (SELECT struct(a AS p, b AS q) AS st FROM t) x) y;
