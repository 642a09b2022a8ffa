-- metadata: {"t": ["a", "b"], "u": ["c", "d"]}
CREATE TABLE o1 AS SELECT st.p AS v FROM (SELECT named_struct('p', a, 'q', b) AS st FROM t UNION ALL SELECT named_struct('p', c, 'q', d) AS st FROM u) x;
CREATE TABLE o2 AS SELECT st.p AS v FROM (SELECT named_struct('p', a, 'q', b) AS st FROM t UNION ALL SELECT named_struct('q', c, 'p', d) AS st FROM u) x;
