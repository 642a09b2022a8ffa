REPLACE PROCEDURE mart.split_regions (IN p_year INTEGER)
DYNAMIC RESULT SETS 1
BEGIN
    DECLARE v_sql VARCHAR(4000);
    DECLARE v_target VARCHAR(128) DEFAULT 'mart.region_totals';
    DECLARE v_code CHAR(3);
    DECLARE v_total DECIMAL(18, 2);
    DECLARE v_more INTEGER DEFAULT 1;
    DECLARE c_dynamic CURSOR FOR s_dynamic;
    DECLARE c_report CURSOR WITH RETURN ONLY TO CLIENT FOR
        SELECT t.region_code, t.total FROM mart.region_totals AS t;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_more = 0;

    CALL DBC.SysExecSQL('DELETE FROM ' || v_target || ' ALL');
    SET v_sql = 'INSERT INTO ' || TRIM(v_target) || ' (region_code, total) '
             || 'SELECT r.region_code, SUM(s.amount) FROM mart.sales AS s '
             || 'INNER JOIN mart.regions AS r ON r.region_id = s.region_id GROUP BY r.region_code';
    EXECUTE IMMEDIATE v_sql;

    SET v_sql = 'SELECT x.region_code, x.goal FROM mart.goals AS x WHERE x.goal_year = ?';
    PREPARE s_dynamic FROM v_sql;
    OPEN c_dynamic USING p_year;
    REPEAT
        FETCH c_dynamic INTO v_code, v_total;
        IF v_more = 1 THEN
            UPDATE mart.region_totals
            SET goal = :v_total
            WHERE region_code = :v_code;
        END IF;
    UNTIL v_more = 0
    END REPEAT;
    CLOSE c_dynamic;

    FOR r AS c_open CURSOR FOR
        SELECT o.region_code, o.owner_name FROM mart.owners AS o WHERE o.active = 1
    DO
        CALL mart.notify(r.owner_name);
        EXECUTE IMMEDIATE 'DELETE FROM mart.messages WHERE region_code IS NULL';
        INSERT INTO mart.notified (region_code, owner_name) VALUES (region_code, r.owner_name);
    END FOR;

    OPEN c_report;
END;
