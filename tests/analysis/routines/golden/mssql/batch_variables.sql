DECLARE @last DATETIME;
SELECT @last = MAX(loaded_at) FROM dbo.loads WHERE ok = 1;

IF @last IS NULL
    SET @last = '19000101';

INSERT INTO dbo.deltas (id, changed_at)
SELECT id, changed_at FROM dbo.items WHERE changed_at > @last;

WHILE EXISTS (SELECT 1 FROM dbo.queue)
BEGIN
    DELETE TOP (100) FROM dbo.queue WHERE queued_at < @last;
    IF @@ROWCOUNT = 0 BREAK;
END;

EXEC dbo.finish @last;
