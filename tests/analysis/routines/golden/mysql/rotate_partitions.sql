DELIMITER //
CREATE PROCEDURE ops.rotate_events(IN p_pause INT)
    COMMENT 'moves the events of closed periods out of the way'
BEGIN
    DECLARE v_stage VARCHAR(64) DEFAULT 'ops.events_stage';
    DECLARE v_cutoff DATE;
    DECLARE v_rows INT DEFAULT 1;

    SELECT MAX(p.closed_on) INTO v_cutoff FROM ops.closed_periods AS p;

    SET @ddl = CONCAT('CREATE TABLE ', v_stage, ' LIKE ops.events');
    PREPARE make_stage FROM @ddl;
    EXECUTE make_stage;
    DEALLOCATE PREPARE make_stage;

    SET @fill = CONCAT('INSERT INTO ', v_stage, ' (event_id, payload, event_day) ',
                       'SELECT e.event_id, e.payload, e.event_day FROM ops.events AS e WHERE e.event_day < ?');
    SET @cutoff = v_cutoff;
    PREPARE fill_stage FROM @fill;
    EXECUTE fill_stage USING @cutoff;
    DEALLOCATE PREPARE fill_stage;

    purge: WHILE v_rows > 0 DO
        DELETE FROM ops.events WHERE event_day < v_cutoff ORDER BY event_day LIMIT 5000;
        SET v_rows = ROW_COUNT();
        IF p_pause = 0 THEN
            ITERATE purge;
        END IF;
        DO SLEEP(p_pause);
    END WHILE purge;

    ALTER TABLE ops.events_archive EXCHANGE PARTITION p_old WITH TABLE ops.events_stage;
    RENAME TABLE ops.rotation_open TO ops.rotation_done;
END //
DELIMITER ;
