MERGE INTO stock AS t
USING arrivals AS a WITH (NOLOCK)
  LEFT JOIN (SELECT id, price FROM prices WHERE valid = 1) AS p ON a.item = p.id AND CASE WHEN a.kind = 1 THEN 1 END = 1
ON t.item = a.item
WHEN MATCHED THEN UPDATE SET t.price = p.price
WHEN NOT MATCHED BY TARGET THEN INSERT (item, price) VALUES (a.item, p.price);

MERGE stock USING arrivals CROSS JOIN places ON stock.item = arrivals.item
WHEN MATCHED THEN UPDATE SET place = places.name;
