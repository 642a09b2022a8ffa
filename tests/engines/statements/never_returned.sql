CREATE TABLE answer AS
SELECT s.customer_key, sum(s.quantity - coalesce(r.return_quantity, 0)) AS kept
FROM sales AS s
LEFT JOIN returns AS r ON r.item_key = s.item_key AND r.ticket = s.ticket
WHERE r.reason IS NULL OR r.reason <> 'damaged'
GROUP BY s.customer_key
