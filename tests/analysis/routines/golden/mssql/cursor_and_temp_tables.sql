CREATE OR ALTER PROCEDURE dbo.usp_rebuild_stock
    @warehouse INT,
    @since DATETIME = NULL,
    @moved INT OUTPUT
AS
SET NOCOUNT ON
BEGIN
    DECLARE @sku VARCHAR(20), @qty INT
    CREATE TABLE #moves (sku VARCHAR(20), qty INT)
    INSERT INTO #moves (sku, qty)
    SELECT m.sku, SUM(m.qty)
    FROM dbo.movements AS m WITH (NOLOCK)
    WHERE m.warehouse_id = @warehouse
    GROUP BY m.sku

    DECLARE stock_cursor CURSOR LOCAL FAST_FORWARD FOR
        SELECT sku, qty FROM #moves WHERE qty <> 0
    OPEN stock_cursor
    FETCH NEXT FROM stock_cursor INTO @sku, @qty
    WHILE @@FETCH_STATUS = 0
    BEGIN
        UPDATE dbo.stock SET on_hand = on_hand + @qty WHERE sku = @sku
        IF @@ROWCOUNT = 0
            INSERT INTO dbo.stock (sku, on_hand) VALUES (@sku, @qty)
        FETCH NEXT FROM stock_cursor INTO @sku, @qty
    END
    CLOSE stock_cursor
    DEALLOCATE stock_cursor
    DROP TABLE #moves
    RETURN 0
END
GO
