INSERT INTO o
SELECT m.sp, m.bp FROM orders MATCH_RECOGNIZE (
  PARTITION BY customer ORDER BY day
  MEASURES a.price AS sp, RUNNING LAST(b.price) AS bp, CLASSIFIER(u) AS c
  PATTERN (a b+ d*) SUBSET u = (a, b) DEFINE b AS b.price < PREV(b.price)) AS m;
INSERT INTO p (x) SELECT nth_value(a, 2) FROM FIRST IGNORE NULLS OVER (PARTITION BY b ORDER BY c) FROM t;
INSERT INTO q (x) SELECT apply(a, v -> v + b) FROM t;
INSERT INTO r SELECT * FROM TABLE(exclude_columns(input => TABLE(t), columns => DESCRIPTOR(a)));
