CREATE PROCEDURE etl.usp_switch_in_month
    @month DATE
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @schema SYSNAME = N'fact',
            @sql NVARCHAR(MAX),
            @rows BIGINT,
            @partition INT = $PARTITION.pf_month(@month);

    EXEC sp_executesql N'TRUNCATE TABLE fact.sales_in';

    SET @sql = N'INSERT INTO ' + QUOTENAME(N'fact') + N'.' + QUOTENAME(N'sales_in')
             + N' (sale_id, store_key, net_amount, sale_month)
                SELECT s.sale_id, d.store_key, s.gross_amount - s.tax_amount, s.sale_month
                FROM stg.sales AS s
                JOIN dim.store AS d ON d.store_code = s.store_code
                WHERE s.sale_month = @m';
    EXEC sys.sp_executesql @stmt = @sql, @params = N'@m DATE', @m = @month;

    SET @sql = N'SELECT @n = COUNT_BIG(i.sale_id) FROM ' + @schema + N'.sales_in AS i';
    EXEC sp_executesql @sql, N'@n BIGINT OUTPUT', @n = @rows OUTPUT;

    IF @rows = 0
        THROW 50001, N'no sales for this month', 1;

    SET @sql = N'ALTER TABLE ' + @schema + N'.sales_in SWITCH TO '
             + @schema + N'.sales PARTITION 1';
    EXEC (@sql);

    INSERT INTO etl.partition_log (table_name, partition_number, row_count)
    SELECT N'fact.sales', @partition, @rows;
END;
GO
