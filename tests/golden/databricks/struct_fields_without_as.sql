INSERT INTO o SELECT max_by(struct(a, b c, d), a).c AS x FROM t;
INSERT INTO p SELECT struct(e[0] f, CASE WHEN g THEN 1 ELSE h END i, upper(j) `k l`).i AS x FROM u;
