CREATE TABLE answer AS
WITH revenue AS (
    SELECT c.customer_key, sum(s.price) AS revenue
    FROM customer_dim AS c JOIN sales AS s USING (customer_key)
    WHERE s.shop_key IN (SELECT shop_key FROM shop_dim WHERE manager LIKE 'A%')
    GROUP BY c.customer_key
),
segments AS (SELECT CAST(revenue / 5 AS INTEGER) AS segment FROM revenue)
SELECT segment, count(*) AS customers, segment * 5 AS lower_bound FROM segments GROUP BY segment
