CREATE TABLE answer AS
SELECT v.supplier_name, count(*) AS waiting
FROM supplier_dim AS v
JOIN supplies AS p1 ON p1.supplier_key = v.supplier_key
WHERE p1.available > 2
  AND EXISTS (SELECT * FROM supplies AS p2 WHERE p2.item_key = p1.item_key AND p2.supplier_key <> p1.supplier_key)
  AND NOT EXISTS (
      SELECT * FROM supplies AS p3
      WHERE p3.item_key = p1.item_key AND p3.supplier_key <> p1.supplier_key AND p3.available > 2
  )
GROUP BY v.supplier_name
