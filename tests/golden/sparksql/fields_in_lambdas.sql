-- metadata: {"t": ["k", "a", "b", "c"]}
CREATE TABLE o1 AS SELECT transform(array(named_struct('p', a, 'q', b)), e -> e.p + c) AS x FROM t;
CREATE TABLE o2 AS SELECT exists(array(named_struct('p', a, 'q', b)), e -> e.q > 1) AS x FROM t;
CREATE TABLE o3 AS SELECT transform(l, e -> e.q) AS x FROM (SELECT k, collect_list(named_struct('p', a, 'q', b)) AS l FROM t GROUP BY k) s;
