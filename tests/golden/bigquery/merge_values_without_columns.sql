MERGE d.t USING d.s ON t.k = s.k WHEN NOT MATCHED THEN INSERT VALUES (k, a);
UPDATE d.t SET r = (SELECT AS STRUCT t.r.* REPLACE (s.z AS z)) FROM d.s WHERE s.k = t.k;
