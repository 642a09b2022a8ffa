--#SET TERMINATOR @
CREATE OR REPLACE PROCEDURE dw.load_products (IN p_run INTEGER, OUT p_rows INTEGER)
LANGUAGE SQL
MODIFIES SQL DATA
CALLED ON NULL INPUT
BEGIN
    DECLARE SQLSTATE CHAR(5) DEFAULT '00000';
    DECLARE v_text VARCHAR(1000);
    DECLARE v_since TIMESTAMP;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        GET DIAGNOSTICS EXCEPTION 1 v_text = MESSAGE_TEXT;
        ROLLBACK;
        INSERT INTO dw.run_errors (run_id, message) VALUES (p_run, v_text);
    END;

    DECLARE GLOBAL TEMPORARY TABLE SESSION.changed (
        product_id INTEGER NOT NULL,
        title VARCHAR(100),
        group_key INTEGER
    ) ON COMMIT PRESERVE ROWS NOT LOGGED WITH REPLACE;

    SET v_since = (SELECT MAX(r.finished_at) FROM dw.runs AS r WHERE r.state = 'OK');

    INSERT INTO SESSION.changed (product_id, title, group_key)
    SELECT p.id, UPPER(p.title), g.group_key
    FROM src.products AS p
    JOIN dw.product_groups AS g ON g.group_code = p.group_code
    WHERE p.changed_at > v_since;

    MERGE INTO dw.products AS t
    USING (SELECT c.product_id, c.title, c.group_key FROM SESSION.changed AS c) AS s
        ON t.product_id = s.product_id AND t.valid_to IS NULL
    WHEN MATCHED AND t.title <> s.title THEN
        UPDATE SET t.valid_to = CURRENT_TIMESTAMP
    WHEN NOT MATCHED THEN
        INSERT (product_id, title, group_key, valid_from)
        VALUES (s.product_id, s.title, s.group_key, CURRENT_TIMESTAMP);
    GET DIAGNOSTICS p_rows = ROW_COUNT;

    UPDATE dw.runs
    SET (finished_at, state) = (CURRENT_TIMESTAMP, 'OK')
    WHERE run_id = p_run;
    COMMIT;
END
@
