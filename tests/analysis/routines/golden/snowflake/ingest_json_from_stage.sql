CREATE OR REPLACE PROCEDURE raw.ingest_orders(load_id NUMBER)
RETURNS VARCHAR
LANGUAGE SQL
AS
$$
DECLARE
    loaded NUMBER;
    attempts NUMBER DEFAULT 0;
BEGIN
    COPY INTO raw.order_documents (document)
    FROM @raw.landing/orders/
    FILE_FORMAT = (TYPE = JSON STRIP_OUTER_ARRAY = TRUE)
    ON_ERROR = 'SKIP_FILE';

    CREATE OR REPLACE TEMPORARY TABLE order_lines_in AS
    SELECT d.document:orderId::NUMBER AS order_id,
           line.value:sku::VARCHAR AS sku,
           line.value:qty::NUMBER AS quantity
    FROM raw.order_documents d,
         LATERAL FLATTEN(INPUT => d.document:lines) line
    WHERE d.processed = FALSE;

    INSERT INTO mart.order_lines (load_id, order_id, sku, quantity)
    SELECT :load_id, i.order_id, i.sku, i.quantity * p.pack_size
    FROM order_lines_in i
    LEFT JOIN mart.products p ON p.sku = i.sku;
    loaded := SQLROWCOUNT;

    WHILE (attempts < 3) DO
        attempts := attempts + 1;
        BEGIN
            UPDATE raw.order_documents SET processed = TRUE WHERE processed = FALSE;
            BREAK;
        EXCEPTION
            WHEN STATEMENT_ERROR THEN
                CALL SYSTEM$WAIT(5);
        END;
    END WHILE;

    COPY INTO @raw.archive/rejected/
    FROM (SELECT r.document FROM raw.order_documents r WHERE r.processed IS NULL)
    FILE_FORMAT = (TYPE = JSON);
    RETURN 'loaded ' || loaded;
END;
$$;
