DELIMITER $$
DROP PROCEDURE IF EXISTS book;
SET autocommit = ON;
INSERT INTO runs (name) SELECT name FROM jobs;
CREATE PROCEDURE book (IN p_event INT, OUT p_result INT)
BEGIN
  UPDATE event SET participants = participants + 1 WHERE id = p_event;
  INSERT INTO booking (event_id, title) SELECT id, title FROM event WHERE id = p_event;
  SET p_result = 1;
END$$
DELIMITER ;
INSERT INTO log (title) SELECT title FROM booking;
