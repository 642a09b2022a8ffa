DELIMITER //
CREATE OR REPLACE PROCEDURE bank.reconcile(IN p_day DATE, INOUT p_differences INT)
    SQL SECURITY DEFINER
BEGIN
    DECLARE v_total, v_limit DECIMAL(14, 2);
    DECLARE v_missing INT DEFAULT 0;
    DECLARE no_ledger CONDITION FOR SQLSTATE '45000';
    DECLARE c_postings CURSOR (p_account INT) FOR
        SELECT p.posting_id, p.amount
        FROM bank.postings AS p
        WHERE p.account_id = p_account AND p.booked_on = p_day;
    DECLARE CONTINUE HANDLER FOR no_ledger
        SET v_missing = v_missing + 1;

    FOR acc IN (SELECT a.account_id, a.balance FROM bank.accounts AS a WHERE a.closed = 0) DO
        SELECT SUM(l.amount) INTO v_total
        FROM bank.ledger AS l
        WHERE l.account_id = acc.account_id;

        IF v_total IS NULL THEN
            SIGNAL no_ledger SET MESSAGE_TEXT = 'an account without entries';
        ELSEIF v_total <> acc.balance THEN
            INSERT INTO bank.differences (account_id, balance, total)
            VALUES (acc.account_id, acc.balance, v_total);
            SET p_differences = p_differences + 1;

            FOR post IN c_postings(acc.account_id) DO
                REPLACE INTO bank.suspects (posting_id, amount)
                VALUES (post.posting_id, post.amount);
            END FOR;
        END IF;
    END FOR;

    DELETE FROM bank.open_checks WHERE check_day < p_day;
END //
DELIMITER ;
