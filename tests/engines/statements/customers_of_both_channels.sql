CREATE TABLE answer AS
SELECT count(*) AS customers
FROM (
    SELECT DISTINCT c.name, d.day
    FROM sales AS s JOIN day_dim AS d USING (day_key) JOIN customer_dim AS c USING (customer_key)
    WHERE d.year = 2001
    INTERSECT
    SELECT DISTINCT c.name, d.day
    FROM web_sales AS w JOIN day_dim AS d USING (day_key) JOIN customer_dim AS c USING (customer_key)
) AS hot
