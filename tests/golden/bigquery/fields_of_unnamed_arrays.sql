CREATE TABLE d.o AS
SELECT
  event_name,
  (SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location') AS page,
  t.geo.*
FROM `p.d.events_*` AS t JOIN d.days USING (event_date);
CREATE TABLE d.q AS SELECT item.sku, pos FROM d.orders, orders.items AS item WITH OFFSET AS pos;
