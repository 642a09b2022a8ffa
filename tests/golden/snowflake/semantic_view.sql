INSERT INTO o SELECT * FROM SEMANTIC_VIEW(sales_view DIMENSIONS customers.region METRICS orders.total) AS s;
