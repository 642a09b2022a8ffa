CREATE TABLE answer AS
SELECT
    sold.year,
    sum(CASE WHEN shipped.day - sold.day <= 30 THEN 1 ELSE 0 END) AS within_30_days,
    sum(CASE WHEN shipped.day - sold.day > 30 THEN 1 ELSE 0 END) AS later
FROM web_sales AS w
JOIN day_dim AS sold ON sold.day_key = w.day_key
JOIN day_dim AS shipped ON shipped.day_key = w.ship_day_key
GROUP BY sold.year
