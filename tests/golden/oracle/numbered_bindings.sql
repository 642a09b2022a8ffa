INSERT INTO orders (id, note) SELECT o.id, :2 FROM staging o WHERE o.day > :1;
UPDATE orders SET note = note || :1 WHERE id = :2;
BEGIN refresh_order(:1, :2); END;
