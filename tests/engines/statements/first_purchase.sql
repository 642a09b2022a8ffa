CREATE TABLE answer AS
SELECT DISTINCT ON (s.customer_key) s.customer_key, d.day, s.price
FROM sales AS s JOIN day_dim AS d USING (day_key)
ORDER BY s.customer_key, d.day, s.price, s.ticket
