CREATE OR REPLACE FUNCTION dds.load_transactions(p_month date) RETURNS integer AS $body$
DECLARE
    c_work  CONSTANT text := 'dds.transactions_work';
    v_sql   text;
    v_count integer := 0;
    v_part  record;
    v_limit numeric;
BEGIN
    EXECUTE 'DROP TABLE IF EXISTS ' || c_work;
    v_sql := 'CREATE TABLE ' || c_work || ' (txn_id bigint, account_id bigint, amount numeric, txn_month date)'
          || ' WITH (appendonly=true, orientation=column, compresstype=zstd) DISTRIBUTED BY (account_id)';
    EXECUTE v_sql;

    SELECT max(l.amount_limit) INTO v_limit
    FROM ref.limits l
    WHERE l.kind = 'TXN';

    INSERT INTO dds.transactions_work (txn_id, account_id, amount, txn_month)
    SELECT t.txn_id, a.account_id, least(t.amount, v_limit), p_month
    FROM ext.transactions t
    INNER JOIN dds.accounts a ON a.account_no = t.account_no
    WHERE t.txn_month = p_month;
    GET DIAGNOSTICS v_count = ROW_COUNT;

    FOR v_part IN
        SELECT p.partition_name, p.threshold
        FROM dds.partition_settings p
        WHERE p.enabled
        ORDER BY p.partition_name
    LOOP
        UPDATE dds.partition_state s
        SET threshold = v_part.threshold
        WHERE s.partition_name = v_part.partition_name;
    END LOOP;

    v_sql := 'ALTER TABLE dds.transactions EXCHANGE PARTITION p_current WITH TABLE ' || c_work || ' WITHOUT VALIDATION';
    EXECUTE v_sql;
    EXECUTE 'ANALYZE dds.transactions';
    RETURN v_count;
EXCEPTION
    WHEN undefined_table THEN
        RAISE WARNING 'partition of % is missing', p_month;
        RETURN -1;
END;
$body$ LANGUAGE plpgsql VOLATILE;
