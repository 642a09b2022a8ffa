CREATE PROCEDURE sales.close_orders @day DATE
AS
BEGIN
    DECLARE @closed TABLE (order_id INT PRIMARY KEY, amount MONEY);
    DECLARE @total MONEY, @count INT = 0;

    UPDATE sales.orders
    SET status = 'closed'
    OUTPUT inserted.order_id, inserted.amount INTO @closed (order_id, amount)
    WHERE order_day = @day;

    SELECT @total = SUM(c.amount), @count = COUNT(*)
    FROM @closed AS c;

    IF @count > 0
    BEGIN
        INSERT INTO sales.daily_totals (day, total) VALUES (@day, @total);
        INSERT INTO sales.closed_orders (order_id)
        SELECT order_id FROM @closed;
    END
    ELSE
        PRINT 'nothing to do';
END
GO
CREATE TRIGGER sales.tr_orders ON sales.orders
AFTER UPDATE, DELETE
AS
BEGIN
    IF NOT EXISTS (SELECT * FROM deleted) RETURN;
    INSERT INTO sales.order_history (order_id, old_status, new_status)
    SELECT d.order_id, d.status, i.status
    FROM deleted AS d
    LEFT JOIN inserted AS i ON i.order_id = d.order_id;
END
GO
