"""Long scripts for tests: a package of PL/SQL and a set of T-SQL procedures, as long as a person asks for."""

from __future__ import annotations

__all__ = ["plsql_script", "tsql_script"]

_PLSQL_MEMBER = """\
  PROCEDURE load_{n}(p_day IN DATE, p_rows OUT NUMBER) IS
    CURSOR c_orders(p_from DATE) IS
      SELECT o.order_id, o.customer_id, o.amount
      FROM stage.orders_{n} o
      WHERE o.order_day >= p_from;
    v_limit stage.limits.max_amount%TYPE;
    v_name  VARCHAR2(100);
    r_order c_orders%ROWTYPE;
  BEGIN
    SELECT l.max_amount, l.label
      INTO v_limit, v_name
      FROM stage.limits l
     WHERE l.code = '{n}';
    OPEN c_orders(p_day);
    LOOP
      FETCH c_orders INTO r_order;
      EXIT WHEN c_orders%NOTFOUND;
      IF r_order.amount > v_limit THEN
        INSERT INTO mart.rejected_{n} (order_id, amount, reason)
        VALUES (r_order.order_id, r_order.amount, v_name);
      ELSIF r_order.amount IS NULL THEN
        NULL;
      ELSE
        UPDATE mart.orders_{n} m
           SET m.amount = r_order.amount
         WHERE m.order_id = r_order.order_id;
      END IF;
    END LOOP;
    CLOSE c_orders;
    FOR c IN (SELECT customer_id, COUNT(*) AS orders FROM mart.orders_{n} GROUP BY customer_id) LOOP
      MERGE INTO mart.customers_{n} t
      USING (SELECT c.customer_id AS id, c.orders AS orders FROM dual) s
      ON (t.id = s.id)
      WHEN MATCHED THEN UPDATE SET t.orders = s.orders
      WHEN NOT MATCHED THEN INSERT (id, orders) VALUES (s.id, s.orders);
    END LOOP;
    EXECUTE IMMEDIATE 'INSERT INTO mart.days_{n} (day) SELECT order_day FROM stage.orders_{n}';
    p_rows := SQL%ROWCOUNT;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      ROLLBACK;
    WHEN OTHERS THEN
      INSERT INTO mart.errors (day, what) VALUES (p_day, SQLERRM);
      RAISE;
  END load_{n};

"""

_TSQL_PROCEDURE = """\
CREATE OR ALTER PROCEDURE mart.load_{n}
    @day DATE,
    @rows INT OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @limit MONEY, @label NVARCHAR(100) = N'';
    DECLARE @changes TABLE (order_id INT, amount MONEY);
    BEGIN TRY
        BEGIN TRANSACTION;
        SELECT @limit = l.max_amount, @label = l.label
        FROM stage.limits AS l
        WHERE l.code = '{n}';
        INSERT INTO @changes (order_id, amount)
        SELECT o.order_id, o.amount
        FROM stage.orders_{n} AS o
        WHERE o.order_day >= @day AND o.amount <= @limit;
        IF EXISTS (SELECT 1 FROM @changes)
        BEGIN
            UPDATE m
            SET m.amount = c.amount
            FROM mart.orders_{n} AS m
            JOIN @changes AS c ON c.order_id = m.order_id;
        END
        ELSE
            INSERT INTO mart.empty_{n} (day, label) VALUES (@day, @label);
        DECLARE @id INT, @orders INT;
        DECLARE customers CURSOR LOCAL FAST_FORWARD FOR
            SELECT customer_id, COUNT(*) FROM mart.orders_{n} GROUP BY customer_id;
        OPEN customers;
        FETCH NEXT FROM customers INTO @id, @orders;
        WHILE @@FETCH_STATUS = 0
        BEGIN
            UPDATE mart.customers_{n} SET orders = @orders WHERE id = @id;
            FETCH NEXT FROM customers INTO @id, @orders;
        END
        CLOSE customers;
        DEALLOCATE customers;
        SELECT order_id, amount INTO #kept FROM mart.orders_{n} WHERE amount > @limit;
        INSERT INTO mart.large_{n} (order_id, amount) SELECT order_id, amount FROM #kept;
        DECLARE @sql NVARCHAR(MAX) = N'INSERT INTO mart.days_{n} (day) SELECT order_day FROM stage.orders_{n}';
        EXEC sp_executesql @sql;
        SET @rows = @@ROWCOUNT;
        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;
        INSERT INTO mart.errors (day, what) VALUES (@day, ERROR_MESSAGE());
        THROW;
    END CATCH
END
GO

"""


def plsql_script(lines: int) -> str:
    """A package body of at least so many lines."""
    size = _PLSQL_MEMBER.count("\n")
    members = "".join(_PLSQL_MEMBER.format(n=n) for n in range(lines // size + 1))
    return f"CREATE OR REPLACE PACKAGE BODY etl.loads AS\n\n{members}END loads;\n/\n"


def tsql_script(lines: int) -> str:
    """Procedures of at least so many lines together."""
    size = _TSQL_PROCEDURE.count("\n")
    return "".join(_TSQL_PROCEDURE.format(n=n) for n in range(lines // size + 1))
