CREATE OR REPLACE PROCEDURE s.load(p_day DATE) LANGUAGE PLvSQL AS $$
DECLARE
    v_max INT;
    v_name VARCHAR;
BEGIN
    v_max := SELECT MAX(id) FROM s.orders WHERE d = p_day;
    PERFORM INSERT INTO s.copies (id) SELECT id FROM s.orders WHERE id > v_max;
    FOR v_name IN QUERY SELECT name FROM s.names LOOP
        PERFORM INSERT INTO s.seen (name) VALUES (v_name);
    END LOOP;
    EXECUTE 'DELETE FROM s.scratch';
END;
$$;
