-- What a nightly job does: a cleaned stage, a view on top of it, and the table of the report.
CREATE TABLE stage AS
SELECT s.day_key, s.item_key, upper(h.shop_state) AS state, s.quantity * s.price AS gross, s.discount
FROM sales AS s LEFT JOIN shop_dim AS h ON h.shop_key = s.shop_key
WHERE s.quantity > 0;
CREATE VIEW net AS
SELECT item_key, state, sum(gross - coalesce(discount, 0)) AS net FROM stage GROUP BY item_key, state;
CREATE TABLE answer AS
SELECT i.brand, n.state, n.net, row_number() OVER (PARTITION BY n.state ORDER BY n.net DESC, i.item_key) AS place
FROM net AS n JOIN item_dim AS i ON i.item_key = n.item_key
