CREATE OR REPLACE PROCEDURE crm.merge_duplicates(INOUT p_merged integer DEFAULT 0)
LANGUAGE plpgsql
AS $$
<<main>>
DECLARE
    c_pairs CURSOR FOR
        SELECT a.id AS keep_id, b.id AS drop_id, b.email AS drop_email
        FROM crm.contacts a
        JOIN crm.contacts b ON lower(a.email) = lower(b.email) AND a.id < b.id
        WHERE a.deleted_at IS NULL;
    pair record;
    v_email text;
    v_ids integer[];
    v_id integer;
BEGIN
    CREATE TEMP TABLE merged_pairs (keep_id integer, drop_id integer) ON COMMIT DROP;

    FOR pair IN c_pairs LOOP
        v_email := upper(pair.drop_email);
        UPDATE crm.orders SET contact_id = pair.keep_id WHERE contact_id = pair.drop_id;
        INSERT INTO merged_pairs (keep_id, drop_id) VALUES (pair.keep_id, pair.drop_id);
        INSERT INTO crm.merge_log (email, merged_at) VALUES (v_email, now());
        p_merged := p_merged + 1;
    END LOOP;

    v_ids := ARRAY(SELECT m.drop_id FROM merged_pairs m);
    FOREACH v_id IN ARRAY v_ids LOOP
        DELETE FROM crm.contacts WHERE id = v_id;
    END LOOP;

    IF p_merged > 0 THEN
        PERFORM crm.refresh_statistics(p_merged);
    ELSIF p_merged IS NULL THEN
        RAISE WARNING 'nothing merged';
    END IF;
    COMMIT;
END main;
$$;

CREATE FUNCTION crm.next_number(p_kind text) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    v_next integer;
BEGIN
    UPDATE crm.counters c
    SET value = c.value + 1
    WHERE c.kind = p_kind
    RETURNING c.value INTO v_next;
    IF NOT FOUND THEN
        INSERT INTO crm.counters (kind, value) VALUES (p_kind, 1)
        RETURNING value INTO v_next;
    END IF;
    INSERT INTO crm.numbers (kind, n) SELECT p_kind, v_next;
    RETURN v_next;
END;
$$;
