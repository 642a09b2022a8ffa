UPDATE totals t JOIN sales s ON t.id = s.id SET n = n + 1 WHERE s.day > 1;
