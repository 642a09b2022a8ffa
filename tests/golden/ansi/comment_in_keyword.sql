INSERT INTO o (a, s)
SELECT a, SUM(b) OVER (PARTITION /* per customer */ BY c ORDER -- by day
  BY d) FROM t GROUP /* all of them */ BY a, b, c, d;
