-- END IF and END LOOP inside a CASE statement do not close it, and a label may follow BEGIN: the routine goes on.
CREATE OR REPLACE PROCEDURE load_days (mode IN VARCHAR2) IS
    last_day DATE;
BEGIN
    <<choose>>
    SELECT MAX(day) INTO last_day FROM closed_days;
    CASE WHEN mode = 'all' THEN
        IF last_day IS NULL THEN RAISE NO_DATA_FOUND; END IF;
        FOR i IN 1 .. CASE WHEN last_day > SYSDATE THEN 2 ELSE 1 END LOOP NULL; END LOOP;
    ELSE
        CASE mode WHEN 'new' THEN IF last_day IS NULL THEN NULL; END IF; ELSE NULL; END CASE;
    END CASE;
    INSERT INTO days (a) SELECT a FROM raw_days WHERE day > last_day;
END;
/
BEGIN
    <<copy>>
    FOR r IN (SELECT b FROM raw_hours) LOOP
        NULL;
        INSERT INTO hours (b) VALUES (r.b);
    END LOOP copy;
END;
/
