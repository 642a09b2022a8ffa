CREATE TABLE d.o AS
SELECT * FROM d.quotes MATCH_RECOGNIZE (
  PARTITION BY sym ORDER BY ts
  MEASURES FIRST(high.price) AS top, LAST(low.price) AS bottom
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (high (low | other){2,3})
  DEFINE high AS price > 100, low AS price < 50, other AS TRUE
  OPTIONS (use_longest_match = TRUE));
CREATE TABLE d.p AS
FROM d.quotes |> MATCH_RECOGNIZE (PARTITION BY sym ORDER BY ts MEASURES FIRST(a.price) AS first_price PATTERN (a b+) DEFINE b AS volume > 1);
