INSERT INTO streaks (id, n)
SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY day_no RESET WHEN balance < 0) FROM accounts;

NONSEQUENCED VALIDTIME SELECT id FROM policies;

INSERT INTO scored SELECT id FROM NaiveBayes (ON people AS input PARTITION BY ANY ON model DIMENSION USING Accumulate('id')) AS dt;
