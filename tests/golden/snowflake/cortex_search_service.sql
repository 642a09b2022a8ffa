CREATE OR REPLACE CORTEX SEARCH SERVICE support.calls_search
  ON transcript
  ATTRIBUTES region
  WAREHOUSE = small
  TARGET_LAG = '1 day'
AS (SELECT transcript, region FROM support.calls WHERE closed);

DROP CORTEX SEARCH SERVICE support.old_search;
