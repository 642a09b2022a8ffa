CREATE OR ALTER TRIGGER sales.tr_prices_audit
ON sales.prices
AFTER INSERT, UPDATE, DELETE
NOT FOR REPLICATION
AS
BEGIN
    IF (ROWCOUNT_BIG() = 0)
        RETURN;
    SET NOCOUNT ON;

    DECLARE @action CHAR(1) =
        CASE WHEN EXISTS (SELECT 1 FROM inserted) AND EXISTS (SELECT 1 FROM deleted) THEN 'U'
             WHEN EXISTS (SELECT 1 FROM inserted) THEN 'I'
             ELSE 'D'
        END;

    IF UPDATE(amount)
    BEGIN
        INSERT INTO audit.price_changes (price_id, old_amount, new_amount, changed_by)
        SELECT COALESCE(i.price_id, d.price_id), d.amount, i.amount, SUSER_SNAME()
        FROM inserted AS i
        FULL OUTER JOIN deleted AS d ON d.price_id = i.price_id;
    END;

    UPDATE p
    SET p.last_amount = i.amount,
        p.last_currency = c.iso_code
    FROM sales.products AS p
    JOIN inserted AS i ON i.product_id = p.product_id
    LEFT JOIN ref.currencies AS c ON c.currency_id = i.currency_id;

    IF @action = 'D'
        DELETE FROM sales.price_cache
        WHERE price_id IN (SELECT d.price_id FROM deleted AS d);
END;
GO
