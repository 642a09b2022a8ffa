CREATE OR REPLACE PROCEDURE lake.jobs.backfill_months(IN first_month DATE, IN months INT)
LANGUAGE SQL
SQL SECURITY INVOKER
AS BEGIN
  DECLARE target STRING DEFAULT 'lake.gold.monthly_revenue';
  DECLARE statement_text STRING;
  DECLARE this_month DATE DEFAULT first_month;
  DECLARE invoices BIGINT;
  DECLARE i INT DEFAULT 0;

  WHILE i < months DO
    SET this_month = add_months(first_month, i);
    SET i = i + 1;

    EXECUTE IMMEDIATE 'SELECT count(*) FROM lake.silver.invoices WHERE month = ?'
      INTO invoices USING this_month;

    CASE
      WHEN invoices = 0 THEN
        INSERT INTO lake.jobs.empty_months (month, invoices) VALUES (this_month, invoices);
      ELSE
        SET statement_text = 'DELETE FROM ' || target || ' WHERE month = :m';
        EXECUTE IMMEDIATE statement_text USING this_month AS m;
        EXECUTE IMMEDIATE 'INSERT INTO ' || target || ' (month, country, revenue)
          SELECT i.month, c.country, sum(i.net)
          FROM lake.silver.invoices AS i
          JOIN lake.silver.customers AS c ON c.customer_id = i.customer_id
          WHERE i.month = :m
          GROUP BY i.month, c.country' USING (this_month AS m);
    END CASE;
  END WHILE;

  FOR part AS
    SELECT p.table_name, p.retention FROM lake.jobs.partitions AS p WHERE p.kind = 'month'
  DO
    INSERT INTO lake.jobs.cleanups (table_name, retention) VALUES (part.table_name, part.retention);
    EXECUTE IMMEDIATE 'VACUUM ' || part.table_name;
  END FOR;
END;
