CREATE OR REPLACE PROCEDURE mart.apply_customer_changes(batch_label VARCHAR)
RETURNS NUMBER
LANGUAGE SQL
COMMENT = 'Applies what the stream has collected since the last run'
EXECUTE AS OWNER
AS
$$
DECLARE
    changed NUMBER DEFAULT 0;
    newest TIMESTAMP_NTZ;
    no_changes EXCEPTION (-20101, 'the stream is empty');
BEGIN
    BEGIN TRANSACTION;

    CREATE OR REPLACE TEMPORARY TABLE customer_changes AS
    SELECT s.customer_id, s.email, s.plan, s.changed_at,
           s.METADATA$ACTION AS change_action, s.METADATA$ISUPDATE AS is_update
    FROM raw.customer_stream s
    WHERE s.customer_id IS NOT NULL;

    SELECT COUNT(*), MAX(changed_at) INTO :changed, :newest FROM customer_changes;
    IF (changed = 0) THEN
        RAISE no_changes;
    END IF;

    MERGE INTO mart.customers t
    USING (SELECT * FROM customer_changes WHERE NOT (change_action = 'DELETE' AND is_update)) c
    ON t.customer_id = c.customer_id
    WHEN MATCHED AND c.change_action = 'DELETE' THEN DELETE
    WHEN MATCHED THEN UPDATE SET t.email = LOWER(c.email), t.plan = c.plan
    WHEN NOT MATCHED THEN INSERT (customer_id, email, plan) VALUES (c.customer_id, LOWER(c.email), c.plan);
    changed := SQLROWCOUNT;

    UPDATE mart.load_state SET loaded_until = :newest, label = :batch_label
    WHERE table_name = 'customers';
    COMMIT;
    RETURN changed;
EXCEPTION
    WHEN no_changes THEN
        ROLLBACK;
        RETURN 0;
    WHEN OTHER THEN
        ROLLBACK;
        INSERT INTO mart.load_errors (label, code, message) VALUES (:batch_label, :SQLCODE, :SQLERRM);
        RAISE;
END;
$$;
