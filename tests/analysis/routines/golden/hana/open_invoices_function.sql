CREATE OR REPLACE FUNCTION fin.open_invoices (iv_customer NVARCHAR(10), iv_day DATE DEFAULT CURRENT_DATE)
RETURNS TABLE (invoice_id INTEGER, open_amount DECIMAL(15, 2), rating NVARCHAR(2))
LANGUAGE SQLSCRIPT
SQL SECURITY INVOKER
READS SQL DATA
AS
BEGIN
    DECLARE lv_rating NVARCHAR(2);
    DECLARE lv_days INTEGER := 30;

    SELECT c.rating INTO lv_rating
    FROM fin.customers AS c
    WHERE c.customer = :iv_customer;

    IF :lv_rating = 'A' THEN
        lv_days := 60;
    ELSE
        lv_days := 14;
    END IF;

    lt_open = SELECT i.invoice_id, i.amount
              FROM fin.invoices AS i
              WHERE i.customer = :iv_customer AND ADD_DAYS(i.invoice_day, :lv_days) < :iv_day;

    lt_paid = SELECT p.invoice_id, SUM(p.amount) AS paid
              FROM fin.payments AS p
              GROUP BY p.invoice_id;

    RETURN SELECT o.invoice_id, o.amount - IFNULL(p.paid, 0) AS open_amount, :lv_rating AS rating
           FROM :lt_open AS o
           LEFT OUTER JOIN :lt_paid AS p ON p.invoice_id = o.invoice_id;
END;
