CREATE OR ALTER PROCEDURE dwh.usp_load_dim_product
    @load_date DATE,
    @inserted_rows INT OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    SET XACT_ABORT ON;

    DECLARE @changes TABLE (
        action_taken NVARCHAR(10) NOT NULL,
        product_code VARCHAR(20) NOT NULL,
        product_name NVARCHAR(200) NULL,
        list_price DECIMAL(18, 2) NULL
    );

    BEGIN TRY
        BEGIN TRANSACTION;

        MERGE dwh.dim_product WITH (HOLDLOCK) AS tgt
        USING (
            SELECT s.product_code, s.product_name, s.list_price
            FROM stg.product AS s
            WHERE s.load_date = @load_date
        ) AS src
            ON tgt.product_code = src.product_code AND tgt.is_current = 1
        WHEN MATCHED AND (tgt.product_name <> src.product_name OR tgt.list_price <> src.list_price) THEN
            UPDATE SET tgt.is_current = 0, tgt.valid_to = @load_date
        WHEN NOT MATCHED BY TARGET THEN
            INSERT (product_code, product_name, list_price, valid_from, is_current)
            VALUES (src.product_code, src.product_name, src.list_price, @load_date, 1)
        OUTPUT $action, src.product_code, src.product_name, src.list_price
            INTO @changes (action_taken, product_code, product_name, list_price);

        INSERT INTO dwh.dim_product (product_code, product_name, list_price, valid_from, is_current)
        SELECT c.product_code, c.product_name, c.list_price, @load_date, 1
        FROM @changes AS c
        WHERE c.action_taken = N'UPDATE';

        SET @inserted_rows = @@ROWCOUNT;
        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @@TRANCOUNT > 0
            ROLLBACK TRANSACTION;
        INSERT INTO dwh.load_errors (procedure_name, error_number, error_message)
        VALUES (OBJECT_NAME(@@PROCID), ERROR_NUMBER(), ERROR_MESSAGE());
        RAISERROR (N'dim_product was not loaded', 16, 1);
        RETURN -1;
    END CATCH;
    RETURN 0;
END;
GO
