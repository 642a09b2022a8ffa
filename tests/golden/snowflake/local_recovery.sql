INSERT INTO hourly (id, v)
SELECT r.id, r.v FROM readings RESAMPLE (USING ts INCREMENT BY INTERVAL '1 hour' PARTITION BY id) AS r WHERE r.v > 0;
