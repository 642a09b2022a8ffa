CREATE TABLE d.o AS
SELECT * REPLACE (CAST(t.a AS STRING) AS a, (SELECT MAX(x) FROM d.u) AS b) FROM d.t;
CREATE MODEL d.m OPTIONS (MODEL_TYPE = 'ARIMA_PLUS') AS (training_data AS (SELECT day, v FROM d.series), custom_holiday AS (SELECT * FROM d.holidays));
