-- metadata: {"t": ["a", "b"], "u": ["c", "d"]}
CREATE TABLE o1 AS SELECT st.p AS v FROM (SELECT {'p': a, 'q': b} AS st FROM t UNION ALL SELECT {'p': c, 'q': d} AS st FROM u) x;
