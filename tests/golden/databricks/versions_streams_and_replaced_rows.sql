INSERT INTO o SELECT a.x, b.y FROM t@v12 a JOIN u@20240101000000000 b ON a.k = b.k;
INSERT INTO p SELECT * FROM STREAM(src);
INSERT INTO q TABLE src;
INSERT INTO r AS x REPLACE ON x.k = s.k (SELECT k, v FROM src) AS s;
INSERT INTO f SELECT * FROM ai_forecast(TABLE(src), horizon => '2025-01-01');
INSERT INTO c SELECT to_json(struct(*)) AS doc FROM table_changes('cat.s.t', 2);
