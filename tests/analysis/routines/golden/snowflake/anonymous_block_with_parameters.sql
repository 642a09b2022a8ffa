EXECUTE IMMEDIATE $$
DECLARE
    since DATE DEFAULT '2024-01-01';
    ticket_id NUMBER;
    opened_by VARCHAR;
    handled NUMBER DEFAULT 0;
    open_tickets CURSOR FOR
        SELECT t.ticket_id, t.opened_by
        FROM help.tickets t
        WHERE t.opened_on > ? AND t.status = 'open'
        ORDER BY t.priority
        LIMIT 500;
BEGIN
    LET first_day DATE := (SELECT MIN(s.start_day) FROM help.sprints s WHERE s.active);
    OPEN open_tickets USING (first_day);
    LOOP
        FETCH open_tickets INTO ticket_id, opened_by;
        IF (ticket_id IS NULL) THEN
            BREAK;
        END IF;
        UPDATE help.assignments
        SET requester = :opened_by
        WHERE ticket_id = :ticket_id;
        handled := handled + 1;
    END LOOP;
    CLOSE open_tickets;

    FOR i IN 1 TO 3 DO
        INSERT INTO help.reminders (round, ticket_id)
        SELECT :i, a.ticket_id
        FROM help.assignments a
        WHERE a.reminded < :i;
    END FOR;

    INSERT INTO help.run_log (handled, since) VALUES (:handled, :first_day);
    RETURN handled;
END;
$$;
