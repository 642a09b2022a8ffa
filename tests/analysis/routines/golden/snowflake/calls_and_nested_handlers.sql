CREATE OR REPLACE PROCEDURE ops.write_log(job VARCHAR, detail VARCHAR)
RETURNS NUMBER
LANGUAGE SQL
AS
$$
BEGIN
    INSERT INTO ops.job_log (job, detail, logged_at)
    SELECT :job, :detail, CURRENT_TIMESTAMP();
    RETURN 1;
END;
$$;

CREATE OR REPLACE PROCEDURE ops.check_balances(day DATE)
RETURNS VARCHAR
LANGUAGE SQL
AS
$$
DECLARE
    owner_email VARCHAR;
    difference NUMBER(18, 2) DEFAULT 0;
    logged NUMBER;
    accounts CURSOR FOR
        SELECT a.account_id, a.owner_id, a.balance FROM fin.accounts a WHERE a.closed = FALSE;
BEGIN
    FOR account IN accounts DO
        LET id NUMBER := account.account_id;
        LET owner NUMBER := account.owner_id;
        LET booked NUMBER := (SELECT SUM(e.amount) FROM fin.entries e WHERE e.account_id = :id);
        difference := account.balance - booked;
        CASE
            WHEN difference = 0 THEN
                CONTINUE;
            WHEN ABS(difference) < 1 THEN
                INSERT INTO fin.rounding (account_id, difference) VALUES (:id, :difference);
            ELSE
                BEGIN
                    SELECT o.email INTO :owner_email FROM fin.owners o WHERE o.owner_id = :owner;
                    CALL ops.write_log('balances', :owner_email) INTO :logged;
                EXCEPTION
                    WHEN STATEMENT_ERROR OR EXPRESSION_ERROR THEN
                        INSERT INTO ops.failures (message) VALUES (:SQLERRM);
                END;
        END CASE;
    END FOR;

    REPEAT
        DELETE FROM fin.rounding r WHERE r.difference = 0;
    UNTIL (SQLROWCOUNT = 0)
    END REPEAT;
    RETURN 'checked';
END;
$$;
