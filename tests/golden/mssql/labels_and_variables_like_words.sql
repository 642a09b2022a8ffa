-- A label stands before the next statement, on its line or alone; the name of a variable is no word of the language.
CREATE PROCEDURE load_days @proc SYSNAME, @table SYSNAME AS
EXEC show_message 'begins', @proc
IF @@TRANCOUNT > 0 GOTO fail
INSERT INTO days (a) SELECT a FROM raw_days WHERE name = @table
IF @@ERROR <> 0 GOTO fail
INSERT INTO hours (a) SELECT a FROM raw_hours
again: INSERT INTO minutes (a) SELECT a FROM raw_minutes
fail: RETURN
GO
INSERT INTO weeks (a) SELECT a FROM raw_weeks
last:
INSERT INTO months (a) SELECT a FROM raw_months
done: COMMIT
