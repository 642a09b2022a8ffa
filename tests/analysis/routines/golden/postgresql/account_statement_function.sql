-- metadata: {"acct.entries": ["entry_id", "account_id", "booked_on", "description", "amount"]}
CREATE OR REPLACE FUNCTION acct.make_statement(p_account bigint, p_from date, p_to date)
RETURNS TABLE (line_day date, line_text text, line_balance numeric)
LANGUAGE plpgsql
AS $fn$
DECLARE
    account    record;
    entry      acct.entries%ROWTYPE;
    entry_cur  refcursor;
    v_balance  acct.statement_lines.balance%TYPE;
    v_request  bigint;
BEGIN
    SELECT a.account_no, a.opening_balance, o.owner_name
    INTO STRICT account
    FROM acct.accounts a
    JOIN acct.owners o ON o.owner_id = a.owner_id
    WHERE a.account_id = p_account;

    INSERT INTO acct.statement_requests (account_no, owner_name, opening)
    VALUES (account.account_no, upper(account.owner_name), account.opening_balance)
    RETURNING request_id INTO v_request;

    v_balance := account.opening_balance;
    OPEN entry_cur FOR
        SELECT e.*
        FROM acct.entries e
        WHERE e.account_id = p_account
          AND e.booked_on BETWEEN p_from AND p_to
        ORDER BY e.booked_on;
    LOOP
        FETCH NEXT FROM entry_cur INTO entry;
        EXIT WHEN NOT FOUND;
        CONTINUE WHEN entry.amount = 0;
        v_balance := v_balance + entry.amount;
        INSERT INTO acct.statement_lines (request_id, booked_on, amount, balance)
        VALUES (v_request, entry.booked_on, entry.amount, v_balance);
        line_day := entry.booked_on;
        line_text := entry.description;
        line_balance := v_balance;
        RETURN NEXT;
    END LOOP;
    CLOSE entry_cur;
EXCEPTION
    WHEN no_data_found THEN
        RAISE EXCEPTION 'no account %', p_account USING ERRCODE = 'P0002';
END;
$fn$;
