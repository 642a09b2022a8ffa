CREATE OR REPLACE PROCEDURE mart.rebuild_inventory(as_of DATE, keep_backup BOOLEAN)
RETURNS VARCHAR
LANGUAGE SQL
AS
DECLARE
    affected INTEGER DEFAULT 0;
    message VARCHAR DEFAULT '';
BEGIN
    CREATE OR REPLACE TRANSIENT TABLE mart.inventory_next CLONE mart.inventory;

    DELETE FROM mart.inventory_next i
    USING raw.discontinued d
    WHERE d.sku = i.sku AND d.ended_on <= :as_of;
    affected := affected + SQLROWCOUNT;

    UPDATE mart.inventory_next n
    SET n.on_hand = c.counted, n.counted_by = c.employee
    FROM (
        SELECT k.sku, k.counted, k.employee
        FROM raw.counts k
        WHERE k.counted_on = :as_of
        QUALIFY ROW_NUMBER() OVER (PARTITION BY k.sku ORDER BY k.entered_at DESC) = 1
    ) c
    WHERE c.sku = n.sku;

    INSERT INTO mart.inventory_next (sku, on_hand)
    SELECT a.sku, 0
    FROM raw.articles a
    WHERE a.sku NOT IN (SELECT x.sku FROM mart.inventory_next x);

    ALTER TABLE mart.inventory SWAP WITH mart.inventory_next;

    IF (keep_backup) THEN
        CREATE OR REPLACE TABLE mart.inventory_backup CLONE mart.inventory_next;
        message := 'kept';
    ELSEIF (affected > 0) THEN
        message := 'changed';
    ELSE
        message := 'nothing';
    END IF;

    RETURN message;
END;
