CREATE OR REPLACE PROCEDURE mart.archive_accounts(p_before IN DATE) IS
  TYPE t_ids IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  TYPE t_accounts IS TABLE OF mart.accounts%ROWTYPE;
  l_ids      t_ids;
  l_balances t_ids;
  l_accounts t_accounts;
  CURSOR c_stale IS
    SELECT a.id, a.owner, a.balance
      FROM mart.accounts a
     WHERE a.last_used < p_before;
BEGIN
  SELECT a.id, a.balance
    BULK COLLECT INTO l_ids, l_balances
    FROM mart.accounts a
   WHERE a.closed = 'Y';

  FORALL i IN 1 .. l_ids.COUNT
    INSERT INTO mart.closed_accounts (id, balance)
    VALUES (l_ids(i), l_balances(i));

  OPEN c_stale;
  LOOP
    FETCH c_stale BULK COLLECT INTO l_accounts LIMIT 500;
    EXIT WHEN l_accounts.COUNT = 0;
    FORALL i IN INDICES OF l_accounts SAVE EXCEPTIONS
      UPDATE mart.account_archive t
         SET t.owner = l_accounts(i).owner,
             t.balance = l_accounts(i).balance
       WHERE t.id = l_accounts(i).id;
  END LOOP;
  CLOSE c_stale;

  DELETE FROM mart.accounts a
   WHERE a.closed = 'Y'
  RETURNING a.id BULK COLLECT INTO l_ids;
EXCEPTION
  WHEN OTHERS THEN
    FOR i IN 1 .. SQL%BULK_EXCEPTIONS.COUNT LOOP
      DBMS_OUTPUT.PUT_LINE(SQL%BULK_EXCEPTIONS(i).ERROR_INDEX);
    END LOOP;
    RAISE;
END archive_accounts;
/
