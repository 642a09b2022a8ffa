INSERT INTO o SELECT a FROM format(JSONEachRow, $${"a": 1}$$);
INSERT INTO p SELECT b FROM t;
