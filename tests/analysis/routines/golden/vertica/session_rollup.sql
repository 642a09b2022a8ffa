CREATE OR REPLACE PROCEDURE web.roll_up(IN p_day DATE, INOUT p_sessions INT)
LANGUAGE PLvSQL
SECURITY INVOKER AS $$
DECLARE
    v_limit INT := 30;
    v_site VARCHAR(50);
    v_hits INT;
    c_sites CURSOR FOR
        SELECT s.site, s.hits FROM web.sites s WHERE s.active;
BEGIN
    SELECT COUNT(*) INTO p_sessions FROM web.sessions WHERE session_day = p_day;

    PERFORM CREATE LOCAL TEMPORARY TABLE day_hits ON COMMIT PRESERVE ROWS AS
        SELECT h.site, h.visitor_id, MAX(h.at) AS last_at
        FROM web.hits h
        WHERE h.hit_day = p_day
        GROUP BY h.site, h.visitor_id;

    OPEN c_sites;
    FETCH c_sites INTO v_site, v_hits;
    WHILE FOUND LOOP
        IF v_hits > v_limit THEN
            PERFORM INSERT INTO web.site_days (site, visitors, planned)
                SELECT d.site, COUNT(d.visitor_id), v_hits
                FROM day_hits d
                WHERE d.site = v_site
                GROUP BY d.site;
        ELSE
            PERFORM UPDATE web.quiet_sites SET hits = v_hits WHERE site = v_site;
        END IF;
        FETCH c_sites INTO v_site, v_hits;
    END LOOP;
    CLOSE c_sites;

    EXECUTE 'INSERT INTO web.totals (n) SELECT SUM(visitors) FROM web.site_days WHERE site_day = $1' USING p_day;
    PERFORM COMMIT;
EXCEPTION
    WHEN OTHERS THEN
        RAISE WARNING 'failed: %', SQLERRM;
        PERFORM INSERT INTO web.failures (failed_on) VALUES (p_day);
END;
$$;
