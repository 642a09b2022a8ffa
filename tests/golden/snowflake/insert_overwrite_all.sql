INSERT OVERWRITE ALL
  INTO big
  INTO small (k, v) VALUES (id, amount)
SELECT id, amount FROM orders
