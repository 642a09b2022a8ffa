INSERT INTO o (x) SELECT s.distance FROM VECTOR_SEARCH(TABLE = dbo.t AS x, COLUMN = v, SIMILAR_TO = @q, METRIC = 'cosine', TOP_N = 5) AS s;
