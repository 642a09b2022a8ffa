CREATE TABLE answer AS
SELECT
    h.shop_name,
    sum(s.price) FILTER (WHERE d.weekday = 'Sunday') AS sunday,
    sum(s.price) FILTER (WHERE d.weekday = 'Monday') AS monday
FROM sales AS s JOIN day_dim AS d USING (day_key) JOIN shop_dim AS h USING (shop_key)
WHERE h.floor_space > (SELECT min(floor_space) FROM shop_dim)
GROUP BY h.shop_name
