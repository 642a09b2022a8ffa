CREATE TABLE answer AS
SELECT i.brand, i.class, avg(t.on_hand) AS on_hand
FROM stock AS t JOIN item_dim AS i USING (item_key) JOIN day_dim AS d USING (day_key)
WHERE d.quarter BETWEEN 1 AND 2
GROUP BY GROUPING SETS ((i.brand, i.class), (i.class), ())
