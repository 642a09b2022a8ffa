CREATE PROCEDURE sales.summarise (IN iv_day DATE, OUT et_result TABLE (id INTEGER, amount DECIMAL(15, 2)))
LANGUAGE SQLSCRIPT
SQL SECURITY INVOKER
DEFAULT SCHEMA sales
AS
BEGIN
    DECLARE lv_max INTEGER := 0;
    DECLARE CURSOR c_items (p_id INTEGER) FOR
        SELECT item, price FROM sales.items WHERE order_id = :p_id;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
        INSERT INTO sales.errors (day) VALUES (:iv_day);

    lt_orders = SELECT id, amount, customer FROM sales.orders WHERE day = :iv_day;
    lt_large = SELECT o.id, o.amount FROM :lt_orders AS o WHERE o.amount > 1000;
    INSERT INTO sales.large_orders SELECT * FROM :lt_large;

    SELECT MAX(id) INTO lv_max FROM sales.orders;
    FOR r AS c_items(:lv_max) DO
        UPDATE sales.prices SET price = r.price WHERE item = r.item;
    END FOR;

    IF :lv_max > 10 THEN
        DELETE FROM sales.work WHERE id < :lv_max;
    ELSEIF :lv_max = 0 THEN
        lv_max := 1;
    END IF;

    EXECUTE IMMEDIATE 'INSERT INTO sales.copies (id) SELECT id FROM sales.orders';
    et_result = SELECT id, amount FROM :lt_large;
END;
