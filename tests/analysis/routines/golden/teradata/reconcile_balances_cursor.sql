CREATE PROCEDURE fin.reconcile_balances (IN p_day DATE, INOUT p_found INTEGER)
MAIN: BEGIN
    DECLARE v_account INTEGER;
    DECLARE v_balance, v_ledger DECIMAL(18, 2);
    DECLARE v_end BYTEINT DEFAULT 0;
    DECLARE balances CURSOR FOR
        SELECT b.account_id, b.balance
        FROM fin.balances AS b
        WHERE b.balance_day = p_day
        ORDER BY b.account_id;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_end = 1;

    OPEN balances;
    FETCH balances INTO v_account, v_balance;
    L1: WHILE v_end = 0 DO
        BEGIN
            DECLARE CONTINUE HANDLER FOR SQLSTATE '21000'
                INSERT INTO fin.problems (account_id) VALUES (v_account);

            SELECT SUM(e.amount) INTO v_ledger
            FROM fin.entries AS e
            WHERE e.account_id = v_account AND e.entry_day <= p_day;
        END;

        CASE
            WHEN v_ledger IS NULL THEN
                INSERT INTO fin.unmatched (account_id, balance) VALUES (v_account, v_balance);
            WHEN v_ledger <> v_balance THEN
                UPDATE fin.corrections
                SET difference = v_ledger - v_balance
                WHERE account_id = v_account;
                SET p_found = p_found + 1;
            ELSE
                DELETE FROM fin.corrections WHERE account_id = v_account;
        END CASE;

        IF p_found > 1000 THEN
            LEAVE L1;
        END IF;
        FETCH balances INTO v_account, v_balance;
    END WHILE L1;
    CLOSE balances;

    BEGIN REQUEST
        INSERT INTO fin.corrections_hist (account_id, difference)
        SELECT c.account_id, c.difference FROM fin.corrections AS c WHERE c.booked = 1;
        DELETE FROM fin.corrections WHERE booked = 1;
    END REQUEST;
END MAIN;
