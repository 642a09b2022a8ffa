CREATE OR REPLACE PROCEDURE p IS
BEGIN
  $IF dbms_db_version.version >= 12 $THEN
    INSERT INTO o (x) SELECT a FROM t;
  $ELSE
    INSERT INTO o (x) SELECT b FROM u;
  $END
END;
/
