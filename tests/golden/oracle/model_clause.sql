INSERT INTO forecast (country, year, amount)
SELECT country, year, s
FROM sales
WHERE product = 'x'
MODEL RETURN UPDATED ROWS
  PARTITION BY (country)
  DIMENSION BY (year)
  MEASURES (amount s)
  RULES AUTOMATIC ORDER (s[2025] = s[2024] + AVG(s)[year < CV(year)]);
