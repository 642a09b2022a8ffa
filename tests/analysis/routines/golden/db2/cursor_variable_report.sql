--#SET TERMINATOR @
CREATE OR REPLACE PROCEDURE rep.build_report (IN p_kind VARCHAR(10), IN p_year ANCHOR rep.periods.year)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE v_region ANCHOR DATA TYPE TO rep.regions.code;
    DECLARE v_total DECIMAL(15, 2);
    DECLARE v_rate DECIMAL(9, 4);
    DECLARE v_done SMALLINT DEFAULT 0;
    DECLARE c_rows CURSOR;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = 1;

    IF p_kind = 'PLAN' THEN
        SET c_rows = CURSOR FOR
            SELECT p.region, p.planned FROM rep.plans AS p WHERE p.year = p_year;
    ELSE
        SET c_rows = CURSOR FOR
            SELECT s.region, SUM(s.amount) AS planned FROM rep.sales AS s WHERE s.year = p_year GROUP BY s.region;
    END IF;
    VALUES (SELECT MAX(x.rate) FROM rep.rates AS x WHERE x.year = p_year) INTO v_rate;

    OPEN c_rows;
    fetching: LOOP
        FETCH c_rows INTO v_region, v_total;
        IF v_done = 1 THEN
            LEAVE fetching;
        END IF;
        INSERT INTO rep.report (region, total) VALUES (v_region, v_total * v_rate);
    END LOOP fetching;
    CLOSE c_rows;
END
@
