CREATE TABLE answer AS
SELECT c.state, count(*) AS customers
FROM customer_dim AS c
WHERE c.customer_key IN (
    SELECT customer_key FROM sales
    EXCEPT
    SELECT customer_key FROM web_sales
)
GROUP BY c.state
HAVING count(*) >= 1
