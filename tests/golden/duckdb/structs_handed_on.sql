-- metadata: {"t": ["a", "b", "k"]}
CREATE TABLE o1 AS WITH x AS (SELECT {'p': a, 'q': b} AS st, k FROM t), y AS (SELECT st FROM x) SELECT st.p AS v FROM y;
CREATE TABLE o2 AS SELECT st.q AS v FROM (SELECT * FROM (SELECT {'p': a, 'q': b} AS st, k FROM t) WHERE k > 1);
CREATE TEMP TABLE x AS SELECT {'p': a, 'q': b} AS st, [a, k] AS l FROM t;
CREATE TABLE o3 AS SELECT st.p AS v, l[2] AS w FROM x;
