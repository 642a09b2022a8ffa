CREATE OR REPLACE PROCEDURE dwh.load_materials (
    IN it_plants TABLE (plant NVARCHAR(4), region NVARCHAR(10)),
    OUT ev_count INTEGER
)
LANGUAGE SQLSCRIPT
SQL SECURITY INVOKER
AS
BEGIN
    DECLARE lv_last TIMESTAMP;
    DECLARE EXIT HANDLER FOR SQL_ERROR_CODE 301
    BEGIN
        INSERT INTO dwh.load_errors (error_code, message) VALUES (::SQL_ERROR_CODE, ::SQL_ERROR_MESSAGE);
    END;

    SELECT MAX(l.loaded_at) INTO lv_last FROM dwh.loads AS l WHERE l.object_name = 'MATERIAL';

    lt_changed = SELECT m.matnr, m.maktx, m.plant, m.changed_at
                 FROM sap.materials AS m
                 WHERE m.changed_at > :lv_last;

    lt_named = SELECT c.matnr, UPPER(c.maktx) AS title, p.region
               FROM :lt_changed AS c
               INNER JOIN :it_plants AS p ON p.plant = c.plant;

    MERGE INTO dwh.materials AS t
    USING :lt_named AS s
    ON t.matnr = s.matnr
    WHEN MATCHED THEN
        UPDATE SET t.title = s.title, t.region = s.region
    WHEN NOT MATCHED THEN
        INSERT (matnr, title, region) VALUES (s.matnr, s.title, s.region);

    UPSERT dwh.loads (object_name, loaded_at)
    SELECT 'MATERIAL', MAX(c.changed_at) FROM :lt_changed AS c;

    SELECT COUNT(*) INTO ev_count FROM :lt_changed;
    BEGIN AUTONOMOUS TRANSACTION
        INSERT INTO dwh.load_counts (n) VALUES (:ev_count);
        COMMIT;
    END;

    CALL dwh.check_materials (:lt_named, lt_problems);
    INSERT INTO dwh.problems (matnr, what) SELECT p.matnr, p.what FROM :lt_problems AS p;
END;
