-- The share of an item in the revenue of its class.
CREATE TABLE answer AS
SELECT
    i.item_id,
    i.class,
    sum(s.price) AS revenue,
    sum(s.price) * 100.0 / sum(sum(s.price)) OVER (PARTITION BY i.class) AS share
FROM sales AS s JOIN item_dim AS i ON s.item_key = i.item_key
WHERE i.category IN ('books', 'music')
GROUP BY i.item_id, i.class
