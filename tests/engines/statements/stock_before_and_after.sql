CREATE TABLE answer AS
SELECT
    h.shop_name,
    i.item_id,
    sum(CASE WHEN d.day < DATE '2001-03-11' THEN t.on_hand ELSE 0 END) AS before,
    sum(CASE WHEN d.day >= DATE '2001-03-11' THEN t.on_hand ELSE 0 END) AS after
FROM stock AS t, shop_dim AS h, item_dim AS i, day_dim AS d
WHERE i.list_price BETWEEN 1 AND 50
  AND t.item_key = i.item_key AND t.shop_key = h.shop_key AND t.day_key = d.day_key
GROUP BY h.shop_name, i.item_id
