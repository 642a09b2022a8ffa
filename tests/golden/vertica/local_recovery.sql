INSERT INTO scores (id, score)
SELECT id, PREDICT_LINEAR_REG(height, width USING PARAMETERS model_name = 'm', match_by_pos = true) FROM boxes;

INSERT INTO quotes_at_trade (symbol, bid)
SELECT t.symbol, q.bid FROM trades t LEFT JOIN quotes q ON t.symbol = q.symbol AND t.ts INTERPOLATE PREVIOUS VALUE q.ts;

AT EPOCH LATEST SELECT id FROM boxes;
