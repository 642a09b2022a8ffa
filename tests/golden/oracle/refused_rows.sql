INSERT INTO sales (id, amount) SELECT id, amount FROM staging LOG ERRORS INTO sales_err ('load 1') REJECT LIMIT UNLIMITED;
DELETE FROM old_sales WHERE year < 2000 LOG ERRORS REJECT LIMIT 10;
