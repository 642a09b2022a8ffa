-- metadata: {"t": ["a", "b", "c"]}
CREATE TABLE o AS SELECT JSON_EXTRACT(JSON_ARRAY(a, b), '$[0]') AS x, JSON_EXTRACT(JSON_OBJECT('l', JSON_ARRAY(b, c)), '$.l[1]') AS y FROM t;
