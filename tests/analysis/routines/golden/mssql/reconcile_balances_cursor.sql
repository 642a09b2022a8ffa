CREATE PROCEDURE fin.usp_reconcile_balances
    @as_of DATE,
    @tolerance MONEY = 0.01
AS
BEGIN
    SET NOCOUNT ON;

    DECLARE @account_id INT, @booked MONEY, @reported MONEY, @difference MONEY;
    DECLARE @mismatches TABLE (account_id INT PRIMARY KEY, difference MONEY);

    DECLARE account_cursor CURSOR LOCAL STATIC READ_ONLY FORWARD_ONLY FOR
        SELECT a.account_id, SUM(e.amount) AS booked
        FROM fin.accounts AS a
        INNER JOIN fin.entries AS e ON e.account_id = a.account_id
        WHERE e.booked_on <= @as_of
        GROUP BY a.account_id;

    OPEN account_cursor;
    FETCH NEXT FROM account_cursor INTO @account_id, @booked;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        SET @reported = (
            SELECT TOP (1) b.balance
            FROM bank.balances AS b
            WHERE b.account_id = @account_id
            ORDER BY b.reported_on DESC
        );

        IF @reported IS NULL
        BEGIN
            INSERT INTO fin.missing_balances (account_id, as_of) VALUES (@account_id, @as_of);
            GOTO next_account;
        END;

        SET @difference = @booked - @reported;
        IF ABS(@difference) > @tolerance
            INSERT INTO @mismatches (account_id, difference)
            VALUES (@account_id, @difference);

        next_account:
        FETCH NEXT FROM account_cursor INTO @account_id, @booked;
    END;
    CLOSE account_cursor;
    DEALLOCATE account_cursor;

    UPDATE r
    SET r.difference = m.difference,
        r.checked_at = SYSUTCDATETIME()
    FROM fin.reconciliation AS r
    INNER JOIN @mismatches AS m ON m.account_id = r.account_id
    WHERE r.as_of = @as_of;
END;
GO
