-- Customers with more on their account than most, who never bought.
CREATE TABLE answer AS
SELECT c.state, count(*) AS customers, sum(c.balance) AS balance
FROM customer_dim AS c
WHERE c.state IN ('TX', 'OH')
  AND c.balance > (SELECT avg(balance) FROM customer_dim WHERE balance > 0)
  AND NOT EXISTS (SELECT 1 FROM sales AS s WHERE s.customer_key = c.customer_key)
GROUP BY c.state
