-- What a branch drops is gone where it leads, not behind it.
CREATE OR REPLACE PROCEDURE load_days (preview IN NUMBER) IS
BEGIN
    EXECUTE IMMEDIATE 'CREATE PRIVATE TEMPORARY TABLE ora$ptt_days AS SELECT a, b FROM raw_days';
    IF preview = 1 THEN
        EXECUTE IMMEDIATE 'DROP TABLE ora$ptt_days';
        RETURN;
    END IF;
    EXECUTE IMMEDIATE 'INSERT INTO days (a, b) SELECT a, b FROM ora$ptt_days';
END;
/
