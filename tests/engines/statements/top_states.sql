CREATE TABLE answer AS
SELECT h.shop_state, sum(s.price) AS revenue
FROM sales AS s JOIN shop_dim AS h USING (shop_key)
WHERE h.shop_state IN (
    SELECT shop_state
    FROM (
        SELECT h2.shop_state, rank() OVER (ORDER BY sum(s2.price) DESC) AS place
        FROM sales AS s2 JOIN shop_dim AS h2 ON h2.shop_key = s2.shop_key
        GROUP BY h2.shop_state
    ) AS ranked
    WHERE place <= 2
)
GROUP BY h.shop_state
