CREATE OR REPLACE FUNCTION sales.open_orders (p_customer INTEGER, p_since DATE)
RETURNS TABLE (
    order_id INTEGER,
    order_day DATE,
    open_amount DECIMAL(15, 2),
    customer_name VARCHAR(80)
)
LANGUAGE SQL
SPECIFIC sales.open_orders_1
NOT DETERMINISTIC
NO EXTERNAL ACTION
MODIFIES SQL DATA
BEGIN ATOMIC
    DECLARE v_limit DECIMAL(15, 2);
    DECLARE v_name VARCHAR(80);

    SET (v_name, v_limit) = (
        SELECT c.name, c.credit_limit
        FROM sales.customers AS c
        WHERE c.customer_id = p_customer
    );
    IF v_limit IS NULL THEN
        SIGNAL SQLSTATE '75000' SET MESSAGE_TEXT = 'no such customer';
    END IF;

    INSERT INTO sales.inquiries (customer_name, credit_limit) VALUES (v_name, v_limit);

    FOR big AS
        SELECT o.order_id AS big_id, o.amount AS big_amount
        FROM sales.orders AS o
        WHERE o.customer_id = p_customer AND o.amount > v_limit
    DO
        INSERT INTO sales.over_limit (order_id, amount) VALUES (big_id, big.big_amount);
    END FOR;

    RETURN
        SELECT o.order_id, o.order_day, o.amount - COALESCE(o.paid, 0), v_name
        FROM sales.orders AS o
        WHERE o.customer_id = p_customer AND o.order_day >= p_since;
END;
