UPDATE totals SET n = n + 1, amount = s.amount FROM sales s WHERE totals.id = s.id AND n < 10;
