-- What a branch or a handler drops is gone where it leads, not behind it.
CREATE PROCEDURE load_days @preview BIT AS
BEGIN
    SELECT a, b INTO #days FROM raw_days
    IF @preview = 1
    BEGIN
        DROP TABLE #days
        RETURN
    END
    INSERT INTO days (a, b) SELECT a, b FROM #days
    BEGIN TRY
        SELECT c INTO #hours FROM raw_hours
    END TRY
    BEGIN CATCH
        DROP TABLE #hours
        RETURN
    END CATCH
    INSERT INTO hours (c) SELECT c FROM #hours
    IF OBJECT_ID('tempdb..#hours') IS NOT NULL DROP TABLE #hours
    SELECT c INTO #hours FROM other_hours
    INSERT INTO more_hours (c) SELECT c FROM #hours
END
GO
-- A table that only a failure takes away is no work table.
CREATE PROCEDURE load_result AS
BEGIN
    SELECT a INTO result FROM raw_days
    BEGIN TRY
        INSERT INTO copy (a) SELECT a FROM result
    END TRY
    BEGIN CATCH
        DROP TABLE result
    END CATCH
END
GO
