CREATE TABLE answer AS
SELECT shop_name, day, revenue
FROM (
    SELECT h.shop_name, d.day, sum(s.price) AS revenue,
           rank() OVER (PARTITION BY h.shop_name ORDER BY sum(s.price) DESC) AS place
    FROM sales AS s JOIN shop_dim AS h USING (shop_key) JOIN day_dim AS d USING (day_key)
    GROUP BY h.shop_name, d.day
) AS ranked
WHERE place = 1
