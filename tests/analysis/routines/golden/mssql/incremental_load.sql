CREATE OR ALTER PROCEDURE etl.load_fact_orders
    @batch_id INT,
    @full BIT = 0,
    @rows_loaded INT = NULL OUTPUT
WITH RECOMPILE
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @from DATETIME2 = '1900-01-01', @error NVARCHAR(4000);
    DECLARE @log TABLE (action NVARCHAR(10), order_id INT);

    IF @full = 0
        SELECT @from = MAX(w.loaded_until)
        FROM etl.watermarks AS w
        WHERE w.target = N'fact_orders';

    BEGIN TRY
        BEGIN TRAN;

        IF OBJECT_ID('tempdb..#changes') IS NOT NULL DROP TABLE #changes;
        SELECT o.order_id, o.customer_id, o.amount, o.changed_at
        INTO #changes
        FROM src.orders AS o
        WHERE o.changed_at > @from;

        WITH ranked AS (
            SELECT c.order_id, c.amount, k.customer_key,
                   ROW_NUMBER() OVER (PARTITION BY c.order_id ORDER BY c.changed_at DESC) AS rn
            FROM #changes AS c
            JOIN dwh.dim_customer AS k ON k.customer_id = c.customer_id
        )
        MERGE dwh.fact_orders AS t
        USING (SELECT order_id, customer_key, amount FROM ranked WHERE rn = 1) AS s
            ON t.order_id = s.order_id
        WHEN MATCHED THEN
            UPDATE SET t.amount = s.amount, t.customer_key = s.customer_key
        WHEN NOT MATCHED BY TARGET THEN
            INSERT (order_id, customer_key, amount) VALUES (s.order_id, s.customer_key, s.amount);

        SET @rows_loaded = @@ROWCOUNT;

        UPDATE etl.watermarks
        SET loaded_until = (SELECT MAX(changed_at) FROM #changes)
        WHERE target = N'fact_orders';

        COMMIT TRAN;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0 ROLLBACK TRAN;
        SET @error = ERROR_MESSAGE();
        INSERT INTO etl.errors (batch_id, message) VALUES (@batch_id, @error);
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
CREATE OR ALTER FUNCTION etl.open_orders (@customer INT)
RETURNS @result TABLE (order_id INT, amount MONEY)
AS
BEGIN
    INSERT INTO @result (order_id, amount)
    SELECT f.order_id, f.amount
    FROM dwh.fact_orders AS f
    WHERE f.customer_key = @customer;

    DELETE FROM @result WHERE amount = 0;
    RETURN;
END;
GO
