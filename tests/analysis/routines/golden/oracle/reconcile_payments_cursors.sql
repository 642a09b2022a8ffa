CREATE OR REPLACE PROCEDURE fin.reconcile_payments (p_period IN VARCHAR2, p_open OUT PLS_INTEGER) IS
  CURSOR c_open (cp_period VARCHAR2) IS
    SELECT i.invoice_id, i.account_id, i.amount_due
      FROM fin.invoices i
     WHERE i.period = cp_period
       AND i.settled = 'N'
       FOR UPDATE OF i.settled NOWAIT;
  CURSOR c_paid (cp_invoice NUMBER) IS
    SELECT SUM(p.amount) AS paid, MAX(p.paid_on) AS last_paid
      FROM bank.payments p
     WHERE p.invoice_id = cp_invoice;
  r_paid   c_paid%ROWTYPE;
  v_diff   fin.mismatches.difference%TYPE;
  e_locked EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_locked, -54);
BEGIN
  p_open := 0;
  <<invoices>>
  FOR r_open IN c_open(p_period) LOOP
    OPEN c_paid(r_open.invoice_id);
    FETCH c_paid INTO r_paid;
    CLOSE c_paid;
    CONTINUE invoices WHEN r_paid.paid IS NULL;

    v_diff := r_open.amount_due - r_paid.paid;
    IF v_diff = 0 THEN
      UPDATE fin.invoices
         SET settled = 'Y',
             settled_on = r_paid.last_paid
       WHERE CURRENT OF c_open;
    ELSE
      p_open := p_open + 1;
      INSERT INTO fin.mismatches (invoice_id, account_id, difference)
      VALUES (r_open.invoice_id, r_open.account_id, v_diff);
    END IF;
  END LOOP invoices;
  COMMIT;
EXCEPTION
  WHEN e_locked THEN
    DBMS_OUTPUT.PUT_LINE('period ' || p_period || ' is being closed by somebody else');
  WHEN OTHERS THEN
    IF c_paid%ISOPEN THEN
      CLOSE c_paid;
    END IF;
    RAISE;
END reconcile_payments;
/
