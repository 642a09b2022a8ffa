CREATE TABLE answer AS
WITH yearly AS (
    SELECT c.name, d.year, sum(s.price - s.cost) AS profit
    FROM sales AS s JOIN customer_dim AS c USING (customer_key) JOIN day_dim AS d USING (day_key)
    GROUP BY c.name, d.year
)
SELECT this.name, this.profit AS profit, last.profit AS profit_before
FROM yearly AS this JOIN yearly AS last ON last.name = this.name AND last.year = this.year - 1
WHERE CASE WHEN last.profit <> 0 THEN this.profit / last.profit ELSE NULL END > 0.5
