-- What the query before does not have is a field of the elements.
INSERT INTO target
WITH jobs AS (SELECT job_id, timeline FROM history),
  steps AS (SELECT * FROM jobs CROSS JOIN UNNEST(timeline) AS step WITH OFFSET AS place)
SELECT job_id, elapsed, place FROM steps;
