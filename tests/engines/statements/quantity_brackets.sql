CREATE TABLE answer AS
SELECT
    CASE WHEN (SELECT count(*) FROM sales WHERE quantity BETWEEN 1 AND 3) > 5
         THEN (SELECT avg(discount) FROM sales WHERE quantity BETWEEN 1 AND 3)
         ELSE (SELECT avg(price) FROM sales WHERE quantity BETWEEN 1 AND 3) END AS low_bracket,
    (SELECT max(price) FROM sales WHERE quantity > 3) AS high_bracket
FROM shop_dim
WHERE shop_key = 1
