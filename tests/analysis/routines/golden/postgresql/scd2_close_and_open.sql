CREATE OR REPLACE PROCEDURE dw.load_dim_supplier(IN p_batch bigint, INOUT p_opened integer DEFAULT 0)
LANGUAGE plpgsql
AS $proc$
DECLARE
    c_forever CONSTANT date := DATE '9999-12-31';
    v_closed  integer;
    v_code    text;
    v_message text;
BEGIN
    CREATE TEMP TABLE changed_supplier ON COMMIT DROP AS
    SELECT s.supplier_no,
           s.name,
           s.country_code,
           md5(concat_ws('|', s.name, s.country_code)) AS row_hash
    FROM stage.supplier s
    WHERE s.batch_id = p_batch
      AND NOT EXISTS (
          SELECT 1
          FROM dw.dim_supplier d
          WHERE d.supplier_no = s.supplier_no
            AND d.row_hash = md5(concat_ws('|', s.name, s.country_code))
      );

    UPDATE dw.dim_supplier d
    SET valid_to = current_date
    FROM changed_supplier c
    WHERE d.supplier_no = c.supplier_no
      AND d.valid_to = c_forever;
    GET DIAGNOSTICS v_closed = ROW_COUNT;

    INSERT INTO dw.dim_supplier AS t (supplier_no, name, country_key, row_hash, valid_from, valid_to)
    SELECT c.supplier_no, c.name, k.country_key, c.row_hash, current_date, c_forever
    FROM changed_supplier c
    LEFT JOIN dw.dim_country k USING (country_code)
    ON CONFLICT (supplier_no, valid_from) DO UPDATE
        SET name = EXCLUDED.name,
            row_hash = EXCLUDED.row_hash;
    GET DIAGNOSTICS p_opened = ROW_COUNT;

    INSERT INTO dw.load_log (batch_id, closed, opened)
    VALUES (p_batch, v_closed, p_opened);
EXCEPTION
    WHEN unique_violation OR foreign_key_violation THEN
        GET STACKED DIAGNOSTICS v_code = RETURNED_SQLSTATE, v_message = MESSAGE_TEXT;
        INSERT INTO dw.load_errors (batch_id, error_code, message)
        VALUES (p_batch, v_code, v_message);
        RAISE NOTICE 'batch % was not loaded: %', p_batch, v_message;
    WHEN OTHERS THEN
        RAISE;
END;
$proc$;
