SET @cutoff := (SELECT MAX(closed_at) FROM ops.periods WHERE closed = 1);
SELECT MIN(id), MAX(id) INTO @low, @high FROM ops.events WHERE at > @cutoff;
INSERT INTO ops.windows (low, high) VALUES (@low, @high);

DELIMITER //
CREATE PROCEDURE ops.archive(IN p_year INT)
BEGIN
    SET @sql_text = CONCAT('INSERT INTO ops.archive (id, what) ', 'SELECT id, what FROM ops.events WHERE y = ?');
    PREPARE stmt FROM @sql_text;
    SET @y = p_year;
    EXECUTE stmt USING @y;
    DEALLOCATE PREPARE stmt;

    WHILE p_year > 2000 DO
        SET p_year = p_year - 1;
        INSERT INTO ops.years (y) VALUES (p_year);
    END WHILE;

    REPEAT
        DELETE FROM ops.events WHERE id < @low LIMIT 1000;
    UNTIL ROW_COUNT() = 0 END REPEAT;

    CASE
        WHEN p_year = 2000 THEN CALL ops.done(p_year);
        ELSE BEGIN END;
    END CASE;
END //
DELIMITER ;
