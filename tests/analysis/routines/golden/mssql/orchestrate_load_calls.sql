CREATE PROCEDURE etl.usp_open_batch
    @source SYSNAME,
    @batch_id INT OUTPUT,
    @since DATETIME2 OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    SELECT @since = MAX(b.extracted_until)
    FROM etl.batches AS b
    WHERE b.source_name = @source AND b.status = 'done';

    INSERT INTO etl.batches (source_name, status) VALUES (@source, 'open');
    SET @batch_id = SCOPE_IDENTITY();
END;
GO
CREATE PROCEDURE etl.usp_close_batch @batch_id INT, @until DATETIME2, @status VARCHAR(10) = 'done'
AS
UPDATE etl.batches
SET extracted_until = @until, status = @status
WHERE batch_id = @batch_id;
GO
CREATE PROCEDURE etl.usp_extract_shipments
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @id INT, @from DATETIME2, @to DATETIME2, @code INT;

    EXECUTE @code = etl.usp_open_batch @source = N'shipments', @batch_id = @id OUTPUT, @since = @from OUTPUT;
    IF @code <> 0 RETURN @code;

    BEGIN TRY
        SELECT s.shipment_id, s.carrier, s.weight, s.modified_at
        INTO #shipments
        FROM erp.shipments AS s
        WHERE s.modified_at > @from;

        INSERT INTO stg.shipments (shipment_id, carrier_key, weight)
        SELECT t.shipment_id, ISNULL(c.carrier_key, -1), t.weight
        FROM #shipments AS t
        OUTER APPLY (
            SELECT k.carrier_key FROM dim.carrier AS k WHERE k.carrier_code = t.carrier
        ) AS c;

        SELECT @to = MAX(modified_at) FROM #shipments;
        EXEC etl.usp_close_batch @id, @to;
    END TRY
    BEGIN CATCH
        EXEC etl.usp_close_batch @batch_id = @id, @until = NULL, @status = 'failed';
        THROW;
    END CATCH;
END;
GO
