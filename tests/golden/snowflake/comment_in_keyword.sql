INSERT INTO o (a, n)
SELECT a, COUNT(*) FROM t GROUP -- all of them
BY a;
