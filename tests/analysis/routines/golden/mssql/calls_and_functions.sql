CREATE FUNCTION dbo.fn_orders_of (@customer INT)
RETURNS TABLE
AS
RETURN
(
    SELECT o.id, o.amount
    FROM dbo.orders AS o
    WHERE o.customer_id = @customer
);
GO
CREATE FUNCTION dbo.fn_total (@customer INT) RETURNS MONEY
AS
BEGIN
    DECLARE @total MONEY;
    SELECT @total = SUM(amount) FROM dbo.orders WHERE customer_id = @customer;
    RETURN ISNULL(@total, 0);
END
GO
CREATE PROCEDURE dbo.usp_log @message NVARCHAR(200), @id INT OUTPUT
AS
BEGIN
    INSERT INTO dbo.log (message) VALUES (@message);
    SELECT @id = MAX(id) FROM dbo.log;
END
GO
CREATE PROCEDURE dbo.usp_main
AS
BEGIN
    DECLARE @text NVARCHAR(200), @id INT, @result INT;
    BEGIN TRY
        SELECT TOP (1) @text = s.message FROM dbo.source_messages AS s WHERE s.seen = 0 ORDER BY s.id;
        EXEC @result = dbo.usp_log @message = @text, @id = @id OUTPUT;
        UPDATE dbo.state SET last_id = @id;
    END TRY
    BEGIN CATCH
        INSERT INTO dbo.failures (what) VALUES (ERROR_MESSAGE());
        THROW;
    END CATCH
END
GO
