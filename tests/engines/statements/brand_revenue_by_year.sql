-- Revenue of each brand in one month of every year.
CREATE TABLE answer AS
SELECT d.year, i.brand, sum(s.price * s.quantity) AS revenue
FROM day_dim AS d
JOIN sales AS s ON s.day_key = d.day_key
JOIN item_dim AS i ON i.item_key = s.item_key
WHERE d.month = 11 AND i.category = 'books'
GROUP BY d.year, i.brand
ORDER BY d.year, revenue DESC
