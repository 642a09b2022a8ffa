CREATE OR REPLACE ALERT too_hot WAREHOUSE = w SCHEDULE = '5 MINUTE'
  IF (EXISTS (SELECT 1 FROM readings WHERE celsius > 90))
  THEN INSERT INTO incidents (sensor_id) SELECT sensor_id FROM readings WHERE celsius > 90;

CREATE ALERT IF NOT EXISTS nightly SCHEDULE = 'USING CRON 0 2 * * * UTC'
  IF (CALL checks.count_open())
  THEN BEGIN
    DELETE FROM incidents WHERE closed;
    INSERT INTO archive (id) SELECT id FROM incidents;
  END;
