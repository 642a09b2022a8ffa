-- metadata: {"t": ["a", "b"], "u": ["c", "d"]}
CREATE TABLE o1 AS SELECT st.p AS v FROM (SELECT STRUCT(a AS p, b AS q) AS st FROM t UNION ALL SELECT STRUCT(c AS p, d AS q) AS st FROM u) x;
CREATE TABLE o2 AS SELECT st.p AS v FROM (SELECT STRUCT(a AS p, b AS q) AS st FROM t UNION ALL SELECT STRUCT(c AS q, d AS p) AS st FROM u) x;
