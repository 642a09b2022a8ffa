MERGE INTO stock t
USING arrivals a JOIN prices p ON a.item = p.id
ON t.item = a.item
WHEN MATCHED THEN UPDATE SET price = p.price;
