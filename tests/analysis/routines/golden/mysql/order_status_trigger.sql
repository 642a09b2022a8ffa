DELIMITER $$
CREATE TRIGGER shop.orders_after_update
AFTER UPDATE ON shop.orders
FOR EACH ROW
BEGIN
    DECLARE v_region VARCHAR(20);
    DECLARE v_open INT DEFAULT 0;

    IF NOT (NEW.status <=> OLD.status) THEN
        SELECT c.region
        INTO v_region
        FROM shop.customers AS c
        WHERE c.customer_id = NEW.customer_id;

        INSERT INTO audit.order_status (order_id, region, old_status, new_status, changed_at)
        VALUES (NEW.order_id, v_region, OLD.status, NEW.status, NOW());

        CASE NEW.status
            WHEN 'shipped' THEN
                INSERT INTO shop.shipments (order_id, weight)
                SELECT l.order_id, SUM(l.weight)
                FROM shop.order_lines AS l
                WHERE l.order_id = NEW.order_id
                GROUP BY l.order_id;
            WHEN 'cancelled' THEN
                UPDATE shop.stock AS s
                INNER JOIN shop.order_lines AS l ON l.sku = s.sku
                SET s.on_hand = s.on_hand + l.quantity
                WHERE l.order_id = OLD.order_id;
            ELSE
                SET v_open = v_open + 1;
        END CASE;
    END IF;
END$$
DELIMITER ;
