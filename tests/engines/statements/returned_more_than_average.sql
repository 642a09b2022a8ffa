-- Customers who returned more than a fifth above the average of their shop.
CREATE TABLE answer AS
WITH total AS (
    SELECT customer_key, shop_key, sum(amount) AS total_amount
    FROM returns JOIN day_dim USING (day_key)
    WHERE year = 2001
    GROUP BY customer_key, shop_key
)
SELECT c.name
FROM total AS t1, shop_dim AS h, customer_dim AS c
WHERE t1.total_amount > (SELECT avg(total_amount) * 1.2 FROM total AS t2 WHERE t1.shop_key = t2.shop_key)
  AND h.shop_key = t1.shop_key AND h.shop_state = 'TX' AND t1.customer_key = c.customer_key
ORDER BY c.name
LIMIT 100
