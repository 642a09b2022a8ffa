-- Both channels under one roof, with subtotals.
CREATE TABLE answer AS
SELECT channel, category, sum(revenue) AS revenue, count(*) AS lines, grouping(category) AS level
FROM (
    SELECT 'shop' AS channel, i.category, s.price AS revenue FROM sales AS s JOIN item_dim AS i USING (item_key)
    UNION ALL
    SELECT 'web', i.category, w.price FROM web_sales AS w JOIN item_dim AS i USING (item_key)
) AS lines
GROUP BY ROLLUP (channel, category)
