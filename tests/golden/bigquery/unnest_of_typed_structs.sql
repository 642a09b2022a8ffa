-- The type of the first struct names the columns of all.
INSERT INTO target
WITH kinds AS (
  SELECT * FROM UNNEST([STRUCT<code STRING, label STRING>('a', 'x'), ('b', 'y'), (NULL, 'z')])
)
SELECT job_id, label, k.code
FROM jobs j LEFT JOIN kinds k ON j.code = k.code;
INSERT INTO other
SELECT amount, label
FROM bills b JOIN UNNEST([STRUCT<code STRING, label STRING>('a', 'x')]) k ON b.code = k.code;
