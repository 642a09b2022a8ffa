CREATE OR ALTER PROCEDURE ops.usp_archive_events
    @keep_days INT = 90,
    @batch_size INT = 5000,
    @archived BIGINT = 0 OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @rows INT = 1, @cutoff DATETIME2(3);
    DECLARE @gone TABLE (event_id BIGINT, device_id INT);

    SELECT @cutoff = DATEADD(DAY, -@keep_days, MAX(e.created_at))
    FROM ops.events AS e WITH (READPAST);

    CREATE TABLE #expired (event_id BIGINT NOT NULL PRIMARY KEY CLUSTERED);
    INSERT INTO #expired (event_id)
    SELECT e.event_id
    FROM ops.events AS e
    WHERE e.created_at < @cutoff
    EXCEPT
    SELECT h.event_id
    FROM ops.legal_holds AS h;

    WHILE @rows > 0
    BEGIN
        BEGIN TRAN batch;

        DELETE TOP (@batch_size) e
        OUTPUT deleted.event_id, deleted.device_id, deleted.payload
            INTO ops.events_archive (event_id, device_id, payload)
        FROM ops.events AS e
        WHERE EXISTS (SELECT 1 FROM #expired AS x WHERE x.event_id = e.event_id);

        SELECT @rows = @@ROWCOUNT, @archived += @rows;
        COMMIT TRAN batch;

        IF @rows < @batch_size BREAK;
        WAITFOR DELAY '00:00:01';
    END;

    UPDATE s
    SET last_cutoff = @cutoff
    FROM ops.archive_state AS s
    WHERE s.table_name = 'events';
END;
GO
