CREATE OR REPLACE FUNCTION inv.maintain_stock() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = inv, pg_temp
AS $$
DECLARE
    v_changes bigint;
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO inv.stock (sku, on_hand)
        SELECT n.sku, sum(n.quantity)
        FROM new_moves n
        GROUP BY n.sku
        ON CONFLICT (sku) DO UPDATE
            SET on_hand = stock.on_hand + EXCLUDED.on_hand;
    ELSIF TG_OP = 'UPDATE' THEN
        UPDATE inv.stock s
        SET on_hand = s.on_hand + d.delta
        FROM (
            SELECT n.sku, sum(n.quantity - o.quantity) AS delta
            FROM new_moves n
            JOIN old_moves o ON o.move_id = n.move_id
            GROUP BY n.sku
        ) d
        WHERE s.sku = d.sku;
    END IF;

    SELECT count(*) INTO v_changes FROM new_moves;
    INSERT INTO inv.move_batches (operation, changes)
    VALUES (TG_OP, v_changes);
    RETURN NULL;
END;
$$;

CREATE TRIGGER moves_inserted
AFTER INSERT ON inv.moves
REFERENCING NEW TABLE AS new_moves
FOR EACH STATEMENT EXECUTE FUNCTION inv.maintain_stock();

CREATE TRIGGER moves_updated
AFTER UPDATE ON inv.moves
REFERENCING OLD TABLE AS old_moves NEW TABLE AS new_moves
FOR EACH STATEMENT EXECUTE FUNCTION inv.maintain_stock();
