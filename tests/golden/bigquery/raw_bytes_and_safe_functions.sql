INSERT INTO target
SELECT SAFE.NET.HOST(address) AS host, SAFE.SUBSTR(name, 1) AS start, rb'a\.b' AS pattern, BR"""x""" AS more
FROM source
WHERE code <> rb'\d' AND kind = r'\w';
