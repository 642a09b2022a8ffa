CREATE TABLE answer AS
SELECT orders, count(*) AS customers
FROM (
    SELECT c.customer_key, count(s.ticket) AS orders
    FROM customer_dim AS c
    LEFT JOIN sales AS s ON s.customer_key = c.customer_key AND s.quantity <> 2
    GROUP BY c.customer_key
) AS per_customer
GROUP BY orders
