REPLACE TRIGGER retail.price_history_trg
AFTER UPDATE OF (list_price, currency) ON retail.products
REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
FOR EACH STATEMENT
(
    UPDATE retail.price_history
    SET valid_to = CURRENT_DATE
    WHERE valid_to IS NULL
      AND product_id IN (SELECT a.product_id FROM after_rows AS a);

    INSERT INTO retail.price_history (product_id, old_price, new_price, currency, valid_from)
    SELECT a.product_id, b.list_price, a.list_price, a.currency, CURRENT_DATE
    FROM after_rows AS a
    INNER JOIN before_rows AS b
        ON b.product_id = a.product_id
    WHERE a.list_price <> b.list_price;

    INSERT INTO retail.large_changes (department, changes)
    SELECT d.department, COUNT(*)
    FROM after_rows AS a
    INNER JOIN retail.departments AS d ON d.department_id = a.department_id
    GROUP BY d.department;
);
