MODEL (
  name shop.totals,
  kind INCREMENTAL_BY_TIME_RANGE (time_column day),
  owner jen
);
WITH recent AS (SELECT day, amount FROM shop.orders WHERE day BETWEEN @start_date AND @end_date)
SELECT day, sum(amount) AS total FROM recent GROUP BY day;
