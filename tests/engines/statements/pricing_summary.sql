-- Sums, averages and counts of what was sold up to a day.
CREATE TABLE answer AS
SELECT
    i.class,
    i.size,
    sum(s.quantity) AS sum_quantity,
    sum(s.price) AS sum_price,
    sum(s.price * (1 - s.discount)) AS sum_discounted,
    avg(s.quantity) AS avg_quantity,
    count(*) AS lines
FROM sales AS s, item_dim AS i, day_dim AS d
WHERE s.item_key = i.item_key AND s.day_key = d.day_key AND d.day <= DATE '2001-06-30'
GROUP BY i.class, i.size
