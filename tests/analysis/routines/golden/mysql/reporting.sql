DELIMITER //
CREATE PROCEDURE rep.build_month(IN p_year INT, IN p_month INT)
build: BEGIN
    DECLARE v_region VARCHAR(20);
    DECLARE v_goal DECIMAL(12, 2) DEFAULT 0;
    DECLARE v_end INT DEFAULT 0;
    DECLARE regions CURSOR FOR SELECT r.code, r.goal FROM rep.regions r WHERE r.open = 1;
    DECLARE CONTINUE HANDLER FOR SQLSTATE '02000' SET v_end = 1;

    IF p_month NOT BETWEEN 1 AND 12 THEN
        LEAVE build;
    END IF;

    DROP TEMPORARY TABLE IF EXISTS month_sales;
    CREATE TEMPORARY TABLE month_sales AS
    SELECT s.region, SUM(s.amount) AS total
    FROM shop.sales s
    WHERE s.y = p_year AND s.m = p_month
    GROUP BY s.region;

    OPEN regions;
    REPEAT
        FETCH regions INTO v_region, v_goal;
        IF NOT v_end THEN
            INSERT INTO rep.results (region, goal, total)
            SELECT v_region, v_goal, m.total
            FROM month_sales m
            WHERE m.region = v_region
            ON DUPLICATE KEY UPDATE total = VALUES(total);
        END IF;
    UNTIL v_end END REPEAT;
    CLOSE regions;
END build//

CREATE FUNCTION rep.total_of(p_region VARCHAR(20)) RETURNS DECIMAL(12, 2)
    READS SQL DATA
    DETERMINISTIC
RETURN (SELECT SUM(r.total) FROM rep.results r WHERE r.region = p_region)//

CREATE TRIGGER rep.before_result BEFORE INSERT ON rep.results
FOR EACH ROW
SET NEW.missing = NEW.goal - NEW.total//

CREATE EVENT rep.nightly ON SCHEDULE EVERY 1 DAY
DO
BEGIN
    INSERT INTO rep.snapshots (region, total) SELECT region, total FROM rep.results;
    DELETE FROM rep.results WHERE total IS NULL;
END//
DELIMITER ;
