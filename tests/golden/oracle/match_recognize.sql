INSERT INTO falls (symbol, low)
SELECT m.symbol, m.low
FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol
  ORDER BY at
  MEASURES LAST(down.price) AS low
  ONE ROW PER MATCH
  PATTERN (strt down+)
  SUBSET both = (strt, down)
  DEFINE down AS down.price < PREV(down.price)) m;
