CREATE PROCEDURE fin.reconcile (IN iv_ledger NVARCHAR(4), OUT ev_found INTEGER)
LANGUAGE SQLSCRIPT
AS
BEGIN
    DECLARE lv_account NVARCHAR(10);
    DECLARE lv_balance, lv_total DECIMAL(17, 2);
    DECLARE lv_sql NVARCHAR(500) := 'DELETE FROM fin.reconcile_work';
    DECLARE i INTEGER;
    DECLARE CURSOR c_accounts FOR
        SELECT a.account, a.balance FROM fin.accounts AS a WHERE a.ledger = :iv_ledger;
    DECLARE CURSOR c_items (p_account NVARCHAR(10)) FOR
        SELECT d.doc_id, d.amount FROM fin.documents AS d WHERE d.account = :p_account;
    DECLARE no_items CONDITION FOR SQL_ERROR_CODE 10001;
    DECLARE EXIT HANDLER FOR no_items
        INSERT INTO fin.empty_accounts (account) VALUES (:lv_account);

    EXECUTE IMMEDIATE :lv_sql;
    ev_found = 0;
    OPEN c_accounts;
    FETCH c_accounts INTO lv_account, lv_balance;
    WHILE NOT c_accounts::NOTFOUND DO
        SELECT SUM(d.amount) INTO lv_total DEFAULT 0
        FROM fin.documents AS d
        WHERE d.account = :lv_account;

        IF :lv_total = 0 THEN
            SIGNAL no_items SET MESSAGE_TEXT = 'nothing booked';
        ELSEIF :lv_total <> :lv_balance THEN
            INSERT INTO fin.differences (account, balance, total) VALUES (:lv_account, :lv_balance, :lv_total);
            FOR r_item AS c_items(:lv_account) DO
                INSERT INTO fin.difference_items (doc_id, amount) VALUES (r_item.doc_id, r_item.amount);
            END FOR;
            ev_found = :ev_found + 1;
        END IF;
        FETCH c_accounts INTO lv_account, lv_balance;
    END WHILE;
    CLOSE c_accounts;

    FOR i IN 1 .. 3 DO
        EXECUTE IMMEDIATE 'UPDATE fin.periods SET state = ''done'' WHERE level = ?' USING :i;
    END FOR;
END;
