INSERT INTO copies SELECT a FROM ONLY (parent);
UPDATE ONLY (parent) AS p SET a = s.b FROM ONLY (source) AS s WHERE p.id = s.id;
DELETE FROM ONLY (parent) WHERE a = 1;
MERGE INTO ONLY (parent) USING source s ON parent.id = s.id WHEN MATCHED THEN UPDATE SET c = s.c;
