DELIMITER $$
CREATE PROCEDURE dwh.load_dim_customer(IN p_batch INT, OUT p_new INT, OUT p_closed INT)
    MODIFIES SQL DATA
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_now DATETIME DEFAULT NOW();
    DECLARE v_state CHAR(5);
    DECLARE v_message TEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        GET DIAGNOSTICS CONDITION 1 v_state = RETURNED_SQLSTATE, v_message = MESSAGE_TEXT;
        ROLLBACK;
        INSERT INTO dwh.load_errors (batch_id, state, message) VALUES (p_batch, v_state, v_message);
        RESIGNAL;
    END;

    DROP TEMPORARY TABLE IF EXISTS changed_customers;
    CREATE TEMPORARY TABLE changed_customers (
        customer_id INT PRIMARY KEY,
        full_name VARCHAR(200),
        city VARCHAR(80)
    ) ENGINE = MEMORY;

    INSERT INTO changed_customers (customer_id, full_name, city)
    SELECT s.customer_id, CONCAT(s.first_name, ' ', s.last_name), s.city
    FROM stg.customers AS s
    LEFT JOIN dwh.dim_customer AS d
        ON d.customer_id = s.customer_id AND d.is_current = 1
    WHERE s.batch_id = p_batch
      AND (d.customer_id IS NULL OR d.city <> s.city);

    START TRANSACTION;
    UPDATE dwh.dim_customer AS d
    JOIN changed_customers AS c ON c.customer_id = d.customer_id
    SET d.valid_to = v_now, d.is_current = 0
    WHERE d.is_current = 1;
    SET p_closed = ROW_COUNT();

    INSERT INTO dwh.dim_customer (customer_id, full_name, city, valid_from, is_current)
    SELECT c.customer_id, c.full_name, c.city, v_now, 1
    FROM changed_customers AS c;
    SET p_new = ROW_COUNT();
    COMMIT;
END$$
DELIMITER ;
