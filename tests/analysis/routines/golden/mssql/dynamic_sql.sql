CREATE PROCEDURE etl.run_step @step INT, @from DATE
AS
BEGIN
    DECLARE @sql NVARCHAR(MAX), @target SYSNAME = N'etl.facts';
    DECLARE @max_id INT;

    SET @sql = N'INSERT INTO ' + @target + N' (id, amount) SELECT id, amount FROM stage.facts WHERE day >= @d';
    EXEC sp_executesql @sql, N'@d DATE', @d = @from;

    IF @step = 1
        SET @sql = N'DELETE FROM etl.errors';
    ELSE
        SET @sql = N'INSERT INTO etl.errors (what) SELECT message FROM stage.messages';
    EXEC (@sql);

    EXEC ('UPDATE etl.status SET done = 1');

    INSERT INTO etl.checks (id, ok) EXEC ('SELECT id, ok FROM stage.checks WHERE ok = 1');
    INSERT INTO etl.results EXEC etl.compute_results @from;

    SET @sql = N'SELECT * FROM ' + QUOTENAME(@step);
    EXEC (@sql);
END
GO
