CREATE DYNAMIC TABLE mart.balances (account NUMBER, amount NUMBER)
  TARGET_LAG = '1 minute' WAREHOUSE = w REFRESH_MODE = CUSTOM_INCREMENTAL
  REFRESH USING (
    MERGE INTO SELF AS b USING (SELECT account, delta FROM bookings CHANGES (INFORMATION => DEFAULT)) AS n
      ON b.account = n.account
    WHEN MATCHED THEN UPDATE SET b.amount = b.amount + n.delta
    WHEN NOT MATCHED THEN INSERT (account, amount) VALUES (n.account, n.delta)
  );
