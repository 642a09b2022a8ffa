CREATE PROCEDURE shop.ops.reconcile_stock(IN p_store INT, OUT p_differences INT)
LANGUAGE SQL
SQL SECURITY INVOKER
AS BEGIN
  DECLARE v_item INT;
  DECLARE v_counted, v_booked DECIMAL(12, 2);
  DECLARE v_done BOOLEAN DEFAULT FALSE;
  DECLARE counts CURSOR FOR
    SELECT c.item_id, c.quantity
    FROM shop.stage.counts AS c
    WHERE c.store_id = p_store
    ORDER BY c.item_id;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;

  SET p_differences = 0;
  OPEN counts;
  items: LOOP
    FETCH counts INTO v_item, v_counted;
    IF v_done THEN
      LEAVE items;
    END IF;

    SET v_booked = (SELECT sum(m.quantity) FROM shop.ops.moves AS m WHERE m.item_id = v_item AND m.store_id = p_store);
    IF v_booked IS NULL THEN
      INSERT INTO shop.ops.unknown_items (item_id, counted) VALUES (v_item, v_counted);
      ITERATE items;
    END IF;

    IF v_booked <> v_counted THEN
      UPDATE shop.ops.stock
      SET quantity = v_counted, difference = v_counted - v_booked
      WHERE item_id = v_item;
      SET p_differences = p_differences + 1;
    END IF;
  END LOOP items;
  CLOSE counts;
END;
