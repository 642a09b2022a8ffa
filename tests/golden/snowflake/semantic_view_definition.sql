CREATE OR REPLACE SEMANTIC VIEW mart.sales
  TABLES (
    orders AS shop.orders PRIMARY KEY (id) WITH SYNONYMS ('purchases') COMMENT = 'one row each',
    c AS shop.customers PRIMARY KEY (id),
    shop.lines
  )
  RELATIONSHIPS (o_to_c AS orders (customer_id) REFERENCES c, lines (order_id) REFERENCES orders (id))
  FACTS (lines.net AS price * (1 - rebate) COMMENT = 'without rebate')
  DIMENSIONS (c.who AS c.name WITH SYNONYMS = ('buyer'), PUBLIC orders.year AS YEAR(ordered_at))
  METRICS (lines.revenue AS SUM(lines.net), orders.orders_placed AS COUNT(orders.id), each AS lines.revenue / orders.orders_placed)
  COMMENT = 'all sales';
