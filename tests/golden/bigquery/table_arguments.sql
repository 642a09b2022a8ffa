CREATE MODEL d.m OPTIONS (model_type = 'linear_reg') AS SELECT a, label FROM d.history;
INSERT INTO d.o (y) SELECT predicted_label FROM ML.PREDICT(MODEL d.m, TABLE d.t);
INSERT INTO d.n (x) SELECT base.id FROM VECTOR_SEARCH(TABLE d.base, 'embedding', (SELECT e FROM d.q), top_k => 3);
