-- Items dearer than the average of their category, by the state of who bought them.
CREATE TABLE answer AS
SELECT c.state, count(*) AS bought
FROM customer_dim AS c, sales AS s, item_dim AS i
WHERE c.customer_key = s.customer_key AND s.item_key = i.item_key
  AND i.list_price > 1.1 * (SELECT avg(j.list_price) FROM item_dim AS j WHERE j.category = i.category)
GROUP BY c.state
HAVING count(*) > 1
