INSERT INTO o (id, risk)
SELECT id, PREDICTION(risk_model COST MODEL USING age, income) FROM customers WHERE person IS OF TYPE (ONLY employee_t);

INSERT INTO forecast (country, year, sale)
SELECT country, year, sale FROM sales_view
MODEL PARTITION BY (country) DIMENSION BY (year) MEASURES (sale) RULES (sale[2025] = sale[2024] * 2);
