-- What a branch or a handler drops is gone where it leads, not behind it.
CREATE PROCEDURE load_days(preview boolean) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE tmp_days AS SELECT a, b FROM raw_days;
    IF preview THEN
        DROP TABLE tmp_days;
        RETURN;
    END IF;
    INSERT INTO days (a, b) SELECT a, b FROM tmp_days;
    BEGIN
        CREATE TEMP TABLE tmp_hours AS SELECT c FROM raw_hours;
    EXCEPTION WHEN OTHERS THEN
        DROP TABLE IF EXISTS tmp_hours;
        RETURN;
    END;
    INSERT INTO hours (c) SELECT c FROM tmp_hours;
    DROP TABLE tmp_hours;
    CREATE TEMP TABLE tmp_hours AS SELECT c FROM other_hours;
    INSERT INTO more_hours (c) SELECT c FROM tmp_hours;
END
$$;
-- A table that only a failure takes away is no work table; one that is dropped wherever there is one is.
CREATE PROCEDURE load_result() LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE result AS SELECT a FROM raw_days;
    CREATE TABLE work AS SELECT b FROM raw_days;
    INSERT INTO copy (b) SELECT b FROM work;
    IF to_regclass('public.work') IS NOT NULL THEN
        DROP TABLE work;
    END IF;
EXCEPTION WHEN OTHERS THEN
    DROP TABLE result;
END
$$;
