CREATE TABLE answer AS
SELECT i.item_id, h.shop_name, sum(s.quantity) AS sold, sum(r.return_quantity) AS returned
FROM sales AS s
JOIN returns AS r ON r.customer_key = s.customer_key AND r.item_key = s.item_key AND r.ticket = s.ticket
JOIN item_dim AS i ON i.item_key = s.item_key
JOIN shop_dim AS h ON h.shop_key = s.shop_key
GROUP BY i.item_id, h.shop_name
