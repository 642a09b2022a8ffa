DELIMITER $$

CREATE DEFINER=`etl`@`localhost` PROCEDURE shop.sync_prices(IN p_shop INT, OUT p_changed INT)
    MODIFIES SQL DATA
    COMMENT 'copies the prices of the head office'
BEGIN
    DECLARE v_done INT DEFAULT FALSE;
    DECLARE v_sku VARCHAR(32);
    DECLARE v_price, v_old DECIMAL(10, 2);
    DECLARE cur_prices CURSOR FOR
        SELECT p.sku, p.price
        FROM hq.prices AS p
        WHERE p.shop_id = p_shop;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK;
        INSERT INTO shop.failures (shop_id) VALUES (p_shop);
    END;

    START TRANSACTION;
    OPEN cur_prices;
    read_loop: LOOP
        FETCH cur_prices INTO v_sku, v_price;
        IF v_done THEN
            LEAVE read_loop;
        END IF;
        SELECT s.price INTO v_old FROM shop.prices s WHERE s.sku = v_sku LIMIT 1;
        IF v_old IS NULL THEN
            INSERT INTO shop.prices (sku, price) VALUES (v_sku, v_price);
        ELSEIF v_old <> v_price THEN
            UPDATE shop.prices SET price = v_price, previous = v_old WHERE sku = v_sku;
        END IF;
    END LOOP read_loop;
    CLOSE cur_prices;
    COMMIT;
    SELECT COUNT(*) INTO p_changed FROM shop.prices WHERE previous IS NOT NULL;
END$$

CREATE TRIGGER shop.after_price AFTER UPDATE ON shop.prices
FOR EACH ROW
BEGIN
    IF NEW.price > OLD.price THEN
        INSERT INTO shop.rises (sku, old_price, new_price) VALUES (NEW.sku, OLD.price, NEW.price);
    END IF;
END$$

CREATE FUNCTION shop.price_of(p_sku VARCHAR(32)) RETURNS DECIMAL(10, 2)
READS SQL DATA
BEGIN
    DECLARE v DECIMAL(10, 2);
    SELECT price INTO v FROM shop.prices WHERE sku = p_sku;
    RETURN v;
END$$

DELIMITER ;
