CREATE TABLE answer AS
WITH daily AS (
    SELECT s.shop_key, d.day, sum(s.quantity) AS sold
    FROM sales AS s JOIN day_dim AS d ON d.day_key = s.day_key
    GROUP BY s.shop_key, d.day
)
SELECT
    h.shop_name,
    y.day,
    sum(y.sold) OVER (PARTITION BY y.shop_key ORDER BY y.day ROWS UNBOUNDED PRECEDING) AS so_far,
    lag(y.sold) OVER (PARTITION BY y.shop_key ORDER BY y.day) AS day_before
FROM daily AS y JOIN shop_dim AS h ON h.shop_key = y.shop_key
