-- END IF and END WHILE inside a CASE statement do not close it: the routine goes on.
CREATE PROCEDURE load_days(IN mode INT)
BEGIN
    DECLARE last_day DATE;
    SELECT MAX(day) INTO last_day FROM closed_days;
    CASE mode WHEN 1 THEN
        IF last_day IS NULL THEN SET @n = 1; END IF;
        WHILE mode < 3 DO SET mode = mode + 1; END WHILE;
    ELSE
        CASE WHEN mode = 2 THEN SET @n = 2; ELSE SET @n = 3; END CASE;
    END CASE;
    INSERT INTO days (a) SELECT a FROM raw_days WHERE day > last_day;
END;
INSERT INTO hours (b) SELECT b FROM raw_hours;
