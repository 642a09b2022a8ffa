CREATE OR REPLACE FUNCTION app.log_account_change() RETURNS trigger
LANGUAGE plpgsql
AS $function$
DECLARE
    v_owner text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO app.account_log (account_id, old_balance)
        VALUES (OLD.id, OLD.balance);
        RETURN OLD;
    ELSIF NEW.balance IS DISTINCT FROM OLD.balance THEN
        SELECT o.name INTO v_owner FROM app.owners o WHERE o.id = NEW.owner_id;
        INSERT INTO app.account_log (account_id, old_balance, new_balance, owner)
        VALUES (NEW.id, OLD.balance, NEW.balance, v_owner);
    END IF;
    NEW.checked_balance := NEW.balance - NEW.reserved;
    RETURN NEW;
END;
$function$;

CREATE TRIGGER account_change
BEFORE UPDATE OR DELETE ON app.accounts
FOR EACH ROW EXECUTE FUNCTION app.log_account_change();

CREATE FUNCTION app.count_rows() RETURNS trigger AS $$
BEGIN
    INSERT INTO app.batches (items)
    SELECT count(*) FROM new_rows;
    RETURN NULL;
END $$ LANGUAGE plpgsql;
