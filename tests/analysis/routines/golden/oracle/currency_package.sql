CREATE OR REPLACE PACKAGE BODY trade.currency_etl AS

  TYPE t_quote IS RECORD (
    symbol   trade.quotes.symbol%TYPE,
    price    NUMBER,
    currency VARCHAR2(3)
  );
  g_base   VARCHAR2(3);
  g_quote  t_quote;

  FUNCTION base_currency RETURN VARCHAR2 IS
  BEGIN
    RETURN NVL(g_base, 'EUR');
  END base_currency;

  PROCEDURE rate_of (p_currency IN VARCHAR2, p_day IN DATE, p_rate OUT NOCOPY NUMBER) IS
  BEGIN
    SELECT r.rate
      INTO p_rate
      FROM ref.fx_rates r
     WHERE r.currency = p_currency
       AND r.rate_day = p_day;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      p_rate := 1;
  END rate_of;

  PROCEDURE latest_quote (p_symbol IN VARCHAR2, p_price OUT NUMBER, p_currency OUT VARCHAR2) IS
  BEGIN
    SELECT q.price, q.currency
      INTO p_price, p_currency
      FROM trade.quotes q
     WHERE q.symbol = p_symbol
     ORDER BY q.quoted_at DESC
     FETCH FIRST 1 ROW ONLY;
  END latest_quote;

  PROCEDURE value_positions (p_day IN DATE) IS
    v_price    NUMBER;
    v_currency VARCHAR2(3);
    v_rate     NUMBER;
  BEGIN
    FOR r IN (SELECT p.account_no, p.symbol, p.units FROM trade.positions p WHERE p.as_of = p_day) LOOP
      latest_quote(r.symbol, p_price => v_price, p_currency => v_currency);
      rate_of(v_currency, p_day, v_rate);
      INSERT INTO trade.valuations (account_no, units, market_price, fx_rate)
      VALUES (r.account_no, r.units, v_price, v_rate);
    END LOOP;
    COMMIT;
  END value_positions;

BEGIN
  SELECT s.base_currency INTO g_base FROM ref.settings s WHERE s.application = 'TRADE';
END currency_etl;
/
