-- What a branch or a handler drops is gone where it leads, not behind it.
DELIMITER //
CREATE PROCEDURE load_days(IN preview INT)
main: BEGIN
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        DROP TEMPORARY TABLE IF EXISTS tmp_days;
        RESIGNAL;
    END;
    CREATE TEMPORARY TABLE tmp_days AS SELECT a, b FROM raw_days;
    IF preview = 1 THEN
        DROP TEMPORARY TABLE tmp_days;
        LEAVE main;
    END IF;
    INSERT INTO days (a, b) SELECT a, b FROM tmp_days;
    DROP TEMPORARY TABLE tmp_days;
END //
DELIMITER ;
